export {
  DEFAULT_SUMMARY_LIMITS,
  SESSIONS_SUMMARY_LIMITS,
  type Summary,
  type SummaryLimits,
  summarise,
} from "./render/summary.ts";
export { RENDER_DEFAULTS, type RenderedText, TextRenderer, type TextRendererOptions } from "./render/text-renderer.ts";
