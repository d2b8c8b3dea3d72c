import type { NEED_KINDS } from './replay-session'

/**
 * Share of what is written again that was needed from the context, by class: in recorded compactions the rest was
 * written without having been seen again (lib/docs/replay.md#precision).
 */
export const PRECISION: { readonly [K in (typeof NEED_KINDS)[number]]: number } = {
  path: 0.8,
  url: 0.8,
  uuid: 0.8,
  hex: 0.8,
  host: 0.8,
  email: 0.8,
  error: 0.8,
  identifier: 0.8,
  number: 0.8,
  quoted: 0.8,
  copy: 0.8,
  rule: 1,
}
