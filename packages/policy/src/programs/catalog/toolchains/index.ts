import { APPS } from "./apps.ts";
import { BEAM } from "./beam.ts";
import { DOTNET } from "./dotnet.ts";
import { GO } from "./go.ts";
import { JVM } from "./jvm.ts";
import { LINTERS } from "./linters.ts";
import { MORE_LANGUAGES } from "./more-languages.ts";
import { NATIVE } from "./native.ts";
import { NATIVE_TOOLS } from "./native-tools.ts";
import { PHP } from "./php.ts";
import { RUBY } from "./ruby.ts";
import { RUST } from "./rust.ts";
import { TASK_RUNNERS } from "./task-runners.ts";
import { VERSION_MANAGERS } from "./version-managers.ts";

/** Compilers, builds, tests and linters, a file per language. */
export const TOOLCHAINS = [
  ...GO,
  ...RUST,
  ...NATIVE,
  ...NATIVE_TOOLS,
  ...LINTERS,
  ...JVM,
  ...DOTNET,
  ...BEAM,
  ...RUBY,
  ...PHP,
  ...APPS,
  ...MORE_LANGUAGES,
  ...TASK_RUNNERS,
  ...VERSION_MANAGERS,
];
