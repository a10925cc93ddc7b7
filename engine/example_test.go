package engine_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// short passes answers of at most three characters.
var short = judge.Func(func(_ context.Context, r *rollout.Row) (judge.Verdict, error) {
	if len(r.Candidate()) <= 3 {
		return judge.Pass("a short answer"), nil
	}
	return judge.Fail(judge.WrongAnswer, "a long answer"), nil
})

func ExampleEngine_Grade() {
	e, err := engine.New(engine.Config{})
	if err != nil {
		panic(err)
	}
	row, err := rollout.Parse([]byte(`{"final_text": "yes"}`))
	if err != nil {
		panic(err)
	}
	v := e.Grade(context.Background(), engine.Work{Judge: short}, row)
	fmt.Println(*v.Reward, v.Status, v.Reason)
	// Output: 1 ok a short answer
}

func ExampleLines_Run() {
	e, err := engine.New(engine.Config{})
	if err != nil {
		panic(err)
	}
	rows, err := rollout.NewReader(strings.NewReader(`{"final_text": "yes"}
{"final_text": "certainly"}
not a row
`), 0)
	if err != nil {
		panic(err)
	}
	defer rows.Close()
	var total engine.Tally
	lines := &engine.Lines{Engine: e, Work: engine.Work{Judge: short}, Name: "short"}
	err = lines.Run(context.Background(), rows, func(b *engine.Block) error {
		total.Merge(&b.Tally)
		_, err := os.Stdout.Write(b.Out)
		return err
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(total.Rows, "rows,", total.Judged, "judged, mean", total.Mean())
	// Output:
	// {"final_text":"yes","reward":1,"judge_status":"ok","judge_name":"short","reason":"a short answer","markers":{},"failure_class":null,"judge_meta":{}}
	// {"final_text":"certainly","reward":0,"judge_status":"ok","judge_name":"short","reason":"a long answer","markers":{},"failure_class":"wrong_answer","judge_meta":{}}
	// {"line":3,"reward":null,"judge_status":"error","judge_name":"short","reason":"line 3, column 2: invalid character 'o' in literal null (expecting 'u')","markers":{},"failure_class":null,"judge_meta":{"error":"invalid_row"}}
	// 3 rows, 2 judged, mean 0.5
}
