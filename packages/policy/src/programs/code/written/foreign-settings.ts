/** Files with settings of tools, by their names. */
const SETTINGS =
  /\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg)$|\/\.[\w-]+rc(?:\.\w+)?$|\/\.(?:rspec|mocharc|nycrc|babelrc|eslintrc|pylintrc|coveragerc)[^/]*$/;
/** A setting whose value is loaded as code. */
const LOADS =
  /(?:require|plugins?|preload|preset|setupFiles\w*|globalSetup|loader|import|rootdir|pythonpath|init-hook|load-plugins|toolchain|rustc-wrapper|script-shell)["']?[\s=:[]+["']?((?:\/tmp|\/var\/tmp|\/dev\/shm|\/home|~)\/[^\s"',\]]+)/gi;
/** Code in a scratch folder or a home, whatever the setting is called. */
const CODE =
  /(?:^|["'\s:=[,])((?:\/tmp|\/var\/tmp|\/dev\/shm|\/home|~)\/[^\s"',\]]+\.(?:[cm]?[jt]s|py|rb|so|jar|sh|lua|pl))(?=["'\s,\]]|$)/gm;
/** What gives a container the rights of the machine, or its files. */
const CONTAINER_RIGHTS =
  /^\s*privileged:\s*true|\bdocker\.sock\b|^\s*-\s*["']?(?:\/|\/(?:etc|home|root)(?:\/[\w.-]+)*|~|\$HOME|~?[\w/$]*\/\.(?:ssh|aws|kube|gnupg)):|^\s*(?:pid|network_mode|userns_mode):\s*["']?host|^\s*source:\s*["']?\/["']?\s*$/m;

/** The paths of code that settings of a tool name, from outside any project. */
export function codeInSettings(path: string, text: string): string[] {
  if (!SETTINGS.test(path)) return [];
  return [...text.matchAll(LOADS), ...text.matchAll(CODE)].map(([, found = ""]) => found);
}

/** Whether a file for `docker compose` gives a container more than its own. */
export function givesContainerRights(program: string, path: string, text: string): boolean {
  return (
    /^(?:docker|docker-compose|podman-compose|podman|nerdctl)$/.test(program) &&
    /\/(?:docker-)?compose[^/]*\.ya?ml$/.test(path) &&
    CONTAINER_RIGHTS.test(text)
  );
}
