/**
 * How each client is started so that its model is the stand-in and its own prompts stay quiet. `settings` are files
 * below the home folder that are there before `belay connect` writes its own entries into them.
 */
export const CLIENTS = [
  {
    id: "claude",
    package: "@anthropic-ai/claude-code",
    postinstall: "install.cjs",
    bin: "claude",
    settings: () => ({}),
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "stand-in",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    // Skipping permissions is refused for root; allowing the tool is the same to a hook.
    args: (prompt) => ["-p", prompt, "--allowedTools", "Bash"],
  },
  {
    id: "codex",
    package: "@openai/codex",
    bin: "codex",
    settings: (url) => ({
      ".codex/config.toml": `model = "stand-in"\nmodel_provider = "stand-in"\n\n[model_providers.stand-in]\nname = "stand-in"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`,
    }),
    env: () => ({}),
    args: (prompt) => [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
      ...["--dangerously-bypass-approvals-and-sandbox", prompt],
    ],
  },
  {
    id: "gemini",
    package: "@google/gemini-cli",
    bin: "gemini",
    settings: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "stand-in" }),
    args: (prompt) => ["--yolo", "-m", "gemini-2.5-flash", "-p", prompt],
  },
  {
    id: "copilot",
    package: "@github/copilot",
    bin: "copilot",
    settings: () => ({}),
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "stand-in",
      COPILOT_MODEL: "gpt-4.1",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
    args: (prompt) => ["-p", prompt, "--allow-all-tools"],
  },
  {
    id: "opencode",
    package: "opencode-ai",
    postinstall: "postinstall.mjs",
    bin: "opencode",
    settings: (url) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        autoupdate: false,
        share: "disabled",
        model: "stand-in/stand-in",
        small_model: "stand-in/stand-in",
        provider: {
          "stand-in": {
            npm: "@ai-sdk/openai-compatible",
            name: "Stand-in",
            options: { baseURL: `${url}/v1`, apiKey: "stand-in" },
            models: { "stand-in": { name: "Stand-in", tool_call: true } },
          },
        },
      }),
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    args: (prompt) => ["run", prompt],
  },
];
