import { runtimeCompactLine, runtimeLines, runtimeReserve } from '../../core/budget/runtime-lines'
import { reckonedWindow, windowInForce } from '../../core/budget/session-load'
import { resolveTurnLimit } from '../../core/history/turn-limit'
import { formatCount, formatPercent, formatShort } from '../text/format'
import { visibleLine } from '../text/visible-text'
import { idleWords, settingWords } from './client-words'
import type { PolicySession } from './policy-effective'

/** What the runtime of a session really does, for a reader. */
export type RuntimeView = {
  readonly name: string
  /** Its settings files that count, weakest first. */
  readonly files: readonly string[]
  readonly assumed: readonly string[]
  /** Settings that decide where it compacts, each with its place. */
  readonly settings: readonly string[]
  /** The one that its lines are in. Tokens. */
  readonly window: number
  readonly facts: readonly { readonly label: string; readonly value: string; readonly note: string | null }[]
  readonly lines: readonly { readonly label: string; readonly pct: number }[]
}

export function runtimeView({ runtime: judged, subject, window: read, key }: PolicySession): RuntimeView {
  const { policy, runtime } = judged
  const window = windowInForce(policy, subject.model, read)
  const reckoned = reckonedWindow(policy, subject.model, read)
  const compact = runtimeCompactLine(judged, reckoned.tokens)
  const reserve = runtimeReserve(judged, reckoned.tokens)
  const { turns } = resolveTurnLimit(policy.history, key)
  const pruning = policy.pruning.cacheTtl
  const idle = idleWords(runtime.client)
  return {
    name: visibleLine(runtime.name),
    files: runtime.files.map(visibleLine),
    assumed: runtime.assumed.map(visibleLine),
    settings: settingWords(runtime).map(visibleLine),
    window: reckoned.tokens,
    facts: [
      {
        label: 'Window',
        value: formatCount(window.tokens),
        note: read === null ? 'assumed' : window.source === 'cut' ? 'the provider cuts prompts to it' : null,
      },
      ...(reckoned.tokens === window.tokens
        ? []
        : [
            {
              label: 'Believed window',
              value: formatCount(reckoned.tokens),
              note: 'the runtime reckons with it, and its lines are in it',
            },
          ]),
      { label: 'Reserve', value: formatCount(reserve), note: 'kept free' },
      {
        label: 'Compacts from',
        value: compact === null ? 'never by itself' : formatCount(compact),
        note:
          compact === null
            ? null
            : `${formatPercent(compact / reckoned.tokens)} of ${reckoned.tokens === window.tokens ? 'the window' : 'that'}`,
      },
      ...(idle === null ? [] : [{ label: 'Compacts idle from', ...idle }]),
      { label: 'Turns sent', value: turns === null ? 'all' : formatCount(turns), note: null },
      {
        label: 'Pruning',
        value: pruning.enabled ? 'on' : 'off',
        note: pruning.enabled ? 'tool results, once the cache has gone cold' : null,
      },
    ],
    lines: runtimeLines(judged, reckoned.tokens)
      .filter((line) => !line.unreachable)
      .map(({ name, tokens, pct }) => ({ label: `${name} ${formatShort(tokens)}`, pct })),
  }
}
