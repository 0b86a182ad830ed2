import { defineProgram } from "../../define-program.ts";

/** Commands on a device that only print: its properties, and the state of its services and packages. */
const DEVICE_QUESTION =
  /^(?:getprop(?: [\w.]+)?|pm (?:list [a-z-]+|path)(?: -[a-z0-9]+)*(?: [\w.]+)?|wm (?:size|density)|settings (?:get \w+ \w+|list \w+)|dumpsys (?:activity|window|package|meminfo|cpuinfo|gfxinfo|display|power|procstats|SurfaceFlinger)(?: -[ah])?(?: (?:top|activities|windows|services|broadcasts|processes|[\w]+(?:\.\w+)+))?|uptime|uname -a|id|df(?: -h)?)$/;

/** Languages for phones and desktops. */
export const APPS = [
  defineProgram({
    names: "swift swiftc flutter dart fvm",
    does: "work",
    isOpen: true,
    options:
      "-c: --configuration: --package-path:d --filter: -o:w --output:w --target: -d: --release --debug --coverage",
    operands: "read",
    verbs: {
      "test build run analyze format fix compile gen-l10n doctor devices bundle drive assemble": {
        does: "work",
        operands: "read",
      },
      package: {
        does: "change",
        operands: "value",
        verbs: {
          "describe show-dependencies dump-package resolve tools-version": "work",
          "update init edit reset purge-cache clean": "change",
        },
      },
      pub: {
        does: "install",
        operands: "value",
        verbs: {
          get: "restore",
          "deps outdated": "read",
          "add remove upgrade global downgrade": "install",
          publish: "publish",
          run: "work",
        },
      },
      "package-registry": { does: "change", operands: "value", verbs: { publish: "publish" } },
      "create upgrade channel config install precache downgrade": { does: "install", operands: "value" },
      clean: "change",
    },
    runs: ["swift test", "flutter test", "dart format lib", "flutter analyze", "dart pub get", "swift build"],
    asks: ["flutter pub publish", "dart pub add x", "flutter upgrade"],
  }),
  defineProgram({
    names: "melos very_good",
    does: "change",
    isOpen: true,
    options:
      "-c: --concurrency: --scope: --ignore: --depends-on: --no-depends-on: --dir-exists: --file-exists: --category: --diff: --flutter --no-flutter --no-private --fail-fast --order-dependents --no-select --coverage --min-coverage: --recursive",
    operands: "value",
    verbs: {
      "bootstrap bs": { does: "restore", operands: "value" },
      run: { does: "work", operands: "value", namesScript: true },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { joins: true, isOpaque: true } },
      "test analyze format list ls dart_test packages": { does: "work", operands: "value" },
      "publish version": { does: "publish", operands: "value" },
      create: { does: "install", operands: "value" },
    },
    runs: [
      "melos bootstrap",
      "melos run analyze",
      "melos exec -c 6 -- flutter analyze",
      'melos exec --depends-on=x -- "dart run build_runner build"',
      "very_good test --coverage",
    ],
    asks: [
      "melos publish",
      "melos version",
      "melos run deploy",
      "melos exec -- rm x",
      "melos clean",
      "very_good create x",
    ],
  }),
  // Web applications, and desktop applications with a web view.
  defineProgram({
    names: "wasp wails",
    does: "change",
    isOpen: true,
    operands: "value",
    verbs: {
      "compile build start dev test generate info version doctor deps clean": {
        does: "work",
        operands: "value",
        isOpen: true,
      },
      db: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: { "migrate-dev start seed": { does: "work", operands: "value", isOpen: true }, reset: "destroy" },
      },
      deploy: { does: "publish", operands: "value", isOpen: true },
      "new init update": { does: "install", operands: "value", isOpen: true },
    },
    runs: ["wasp test client run", "wasp db migrate-dev --name init", "wails generate module", "wails build"],
    asks: ["wasp deploy fly deploy", "wasp db reset", "wasp new app", "wails update"],
  }),
  defineProgram({
    names: "xcbeautify xcpretty",
    does: "read",
    isOpen: true,
    options: "-o:w --output:w --report: --report-path:w -r: -q -f:c --formatter:c",
    operands: "value",
    runs: ["swift build | xcbeautify"],
    asks: ["xcpretty -f /tmp/x.rb"],
  }),
  defineProgram({
    names: "adb",
    does: "change",
    options: "-s: -d -e -t: -H:h -P: -L:",
    operands: "value",
    verbs: {
      "devices version help get-state get-serialno get-devpath": { does: "read", operands: "value", options: "-l" },
      logcat: {
        does: "read",
        operands: "value",
        options: "-d -t: -T: -v: -b: -s -e: -m: --pid: --regex: -c=destroy -f:=change",
      },
      shell: {
        does: "change",
        operands: "value",
        stopsAtOperand: true,
        check: ({ operands }) => {
          const [first = ""] = operands.flatMap(({ text }) => text.split(" ", 1));
          if (first === "cat" || first === "content" || first === "run-as") return "secret";
          return DEVICE_QUESTION.test(operands.map(({ text }) => text).join(" ")) && operands.length > 0
            ? "read"
            : null;
        },
      },
    },
    runs: [
      "adb devices -l",
      "adb logcat -d -t 200 '*:E'",
      "adb shell getprop ro.build.version.sdk",
      "adb shell dumpsys meminfo com.example.app",
      "adb shell 'pm list packages'",
    ],
    asks: [
      "adb install app.apk",
      "adb shell",
      "adb shell ls",
      "adb shell 'getprop; rm -rf /sdcard'",
      "adb shell dumpsys battery set level 5",
      "adb shell pm clear com.example.app",
      "adb logcat -c",
    ],
  }),
];
