const STARTUP =
  /\/\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc|xinitrc|xprofile|envrc)$|\/\.config\/fish\/config\.fish$|\/\.git\/hooks\/[^/]+$|\/\.husky\/[^/]+$|^\/etc\/(profile|bash\.bashrc|rc\.local|profile\.d\/[^/]+|cron\.(hourly|daily|weekly|monthly)\/[^/]+)$/;

/** Files that a shell or a hook runs automatically. */
export function isStartupFile(path: string): boolean {
  return STARTUP.test(path);
}
