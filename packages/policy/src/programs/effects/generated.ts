import { isKnown } from "../../language/state/values.ts";

/** Folders and files that tools regenerate. They contain no person's work. */
const GENERATED_NAMES = new Set(
  (
    "dist build out target node_modules .venv venv coverage .next .nuxt .turbo .parcel-cache .cache .vite .svelte-kit .angular .astro .output .docusaurus .vercel .netlify storybook-static " +
    "__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .eggs htmlcov .hypothesis .ipynb_checkpoints site-packages wheelhouse .coverage coverage.xml coverage.out lcov.info " +
    ".gradle .bazel bazel-bin bazel-out bazel-testlogs _build .dart_tool .stack-work dist-newstyle zig-cache .zig-cache zig-out .nyc_output test-results playwright-report reports " +
    "cmake-build-debug cmake-build-release CMakeFiles CMakeCache.txt .eslintcache .stylelintcache tsconfig.tsbuildinfo obj tmp temp .tmp DerivedData Pods .expo .serverless .aws-sam cdk.out elm-stuff .pnpm-store .yarn-cache .sass-cache .jekyll-cache _site .scannerwork"
  ).split(" "),
);
const GENERATED_FILE =
  /\.(pyc|pyo|class|o|obj|tsbuildinfo|profraw|gcda|gcno)$|\.egg-info$|^npm-debug\.log|^yarn-error\.log|^core\.\d+$|^\.DS_Store$/;
/** Leftovers of editors and tools. Only single files by name, never all at once. */
const LEFTOVER = /\.(bak|orig|rej|swp|tmp)$|[^/]~$/;

/** Whether a relative path is generated, or inside a generated folder. */
export function isGenerated(path: string): boolean {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  if (steps.length === 0 || steps.includes("..")) return false;
  const last = steps.at(-1) ?? "";
  if (steps.some((step) => GENERATED_NAMES.has(step)) || GENERATED_FILE.test(last)) return true;
  return LEFTOVER.test(last) && isKnown(last);
}
