import { defineProgram, type VerbSpec } from "../../define-program.ts";

/** To a named migration it may go back, and drop what later ones created. */
const UPDATE: VerbSpec = {
  does: "change",
  operands: "value",
  check: ({ operands }) => (operands.length > 0 ? "destroy" : null),
};

export const DOTNET = [
  defineProgram({
    names: "dotnet",
    does: "work",
    // MSBuild accepts `/p:Name=value`, which looks like a path; one with a path as its value is kept.
    ownWords: (args) =>
      args.filter(
        ({ text }) =>
          // `/p:DeployOnBuild=true` uploads what was built.
          /deploy|publishprofile/i.test(text) ||
          !/^\/(p|property|nologo|t|target|v|verbosity|m|maxcpucount|restore|warnaserror|clp|nr|bl)(:[^/~]*)?$/i.test(
            text,
          ),
      ),
    isOpen: true,
    options:
      "-c: --configuration: -o:w --output:w -f: --framework: -r: --runtime: -v: --verbosity: --no-restore --no-build --nologo --filter: --logger:c -l:c --settings:c -s:h --source:h --collect: --results-directory:w --info --list-sdks --list-runtimes -p:c --property:c -property:c --project:c -d -t --additional-deps:c --additionalprobingpath:c --roll-forward: --test-adapter-path:c",
    operands: "read",
    verbs: {
      "build test run watch format msbuild clean pack build-server vstest": { does: "work", operands: "read" },
      restore: { does: "restore", operands: "read" },
      "list sdk help": { does: "read", operands: "value" },
      ef: {
        does: "change",
        operands: "value",
        verbs: {
          migrations: {
            does: "work",
            operands: "value",
            verbs: { "list has-pending-model-changes script": "work", add: "edit", remove: "change" },
          },
          dbcontext: { does: "work", operands: "value" },
          database: { does: "change", operands: "value", verbs: { drop: "destroy", update: UPDATE } },
        },
      },
      "add remove new tool workload package reference sln": {
        does: "install",
        operands: "value",
        verbs: {
          list: { does: "read", operands: "value" },
          restore: "restore",
          run: {
            does: "install",
            operands: "value",
            stopsAtOperand: true,
            wraps: { isOpaque: true, takesPackage: true },
          },
        },
      },
      nuget: { does: "publish", operands: "value", verbs: { "list why verify": "read" } },
      publish: {
        does: "work",
        operands: "read",
        // A profile may upload to a server.
        check: ({ options }) =>
          options.some(({ value }) => /^:?PublishProfile=(?!Folder)/i.test(value?.text ?? "")) ? "publish" : null,
      },
      "user-secrets user-jwts": { does: "secret", operands: "value" },
      "dev-certs": "change",
    },
    runs: ["dotnet test --filter X", "dotnet restore", "dotnet build -c Release", "dotnet list package"],
    asks: [
      "dotnet add package X",
      "dotnet nuget push x",
      "dotnet ef database update 0",
      "dotnet user-secrets list",
      "dotnet user-jwts print 1",
      "dotnet publish -p:PublishProfile=Azure",
      "dotnet msbuild /t:Publish /p:DeployOnBuild=true",
      "dotnet lambda deploy-function f",
      "dotnet tool install x",
      "dotnet build -p:CustomBeforeMicrosoftCommonTargets=/tmp/x",
    ],
  }),
];
