
// Stands behind the text of TypeScript's library: tsc's command line, without checking types. What it emits is what tsc emits.
function verifydTranspile(args) {
  const fs = require("fs");
  const path = require("path");
  const { options, fileNames } = ts.parseCommandLine(args);
  delete options.outFile;
  const found = new Set(fileNames.map((f) => path.normalize(f)));
  for (const name of fs.readdirSync(".", { recursive: true })) {
    if (/\.[cm]?tsx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name)) found.add(path.normalize(name));
  }
  for (const name of found) {
    const text = fs.readFileSync(name, "utf8");
    const out = ts.transpileModule(text, { compilerOptions: options, fileName: name, reportDiagnostics: true });
    for (const d of out.diagnostics) {
      const at = d.file && d.start !== undefined ? d.file.getLineAndCharacterOfPosition(d.start) : { line: 0, character: 0 };
      console.error(`${name}(${at.line + 1},${at.character + 1}): error TS${d.code}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n")}`);
    }
    const target = path.join(options.outDir || path.dirname(name), path.basename(name).replace(/\.([cm]?)tsx?$/, ".$1js"));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, out.outputText);
  }
}

if (require("v8").startupSnapshot.isBuildingSnapshot()) {
  require("v8").startupSnapshot.setDeserializeMainFunction(() => verifydTranspile(process.argv.slice(2)));
} else {
  verifydTranspile(process.argv.slice(2));
}
