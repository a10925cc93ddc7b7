// Package textsim answers one question: how alike are two texts? It knows the edit distance, ROUGE-1, -2 and -L and BLEU-4
// in their published definitions, over words that are parted the same way in all scripts. Every score is from 0 to 1.
//
// Functions take plain texts, keep no state and are safe for concurrent use. Those whose cost is the product of both
// lengths count their steps and return ErrLimit above a bound; all others are linear.
package textsim
