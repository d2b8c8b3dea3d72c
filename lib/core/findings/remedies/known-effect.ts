import { openClawRelease } from '../../policy/runtime/openclaw-release'
import type { RuntimePolicy, RuntimeStore } from '../../policy/runtime/runtime-policy'
import type { SettingLever } from '../finding'

type Version = readonly number[]

/**
 * Releases of clients in which the effect of our keys was examined, the first and the last
 * (lib/docs/claude-code-and-codex.md). Claude Code takes a window to compact by since 2.1.38.
 */
const EXAMINED: { readonly [K in 'claude-code' | 'codex']: readonly [first: Version, last: Version] } = {
  'claude-code': [
    [2, 1, 38],
    [2, 1, 330],
  ],
  codex: [
    [0, 169, 0],
    [0, 169, 9_999],
  ],
}

/** Levers that 2026.9 of OpenClaw has no key for any more (lib/docs/openclaw.md#summaries). */
const GONE_IN_2026_9: readonly SettingLever[] = ['line-up', 'line-down']

/**
 * Why the effect of a setting is not known for the runtime of a store, so that none is offered.
 * @returns null: it is known. A sentence otherwise.
 */
export function effectUnknown(
  lever: SettingLever,
  store: Pick<RuntimeStore, 'owner' | 'era' | 'version'>,
  { runtime, policy }: Pick<RuntimePolicy, 'runtime' | 'policy'>,
): string | null {
  const { owner, version } = store
  switch (owner) {
    case 'pi':
      return null
    case 'openclaw': {
      const { assumed } = openClawRelease({ era: store.era, version, at: null })
      if (assumed.length > 0) return `What it does in this OpenClaw is not known: ${assumed.join('; ')}.`
      // Where compaction is switched off its switch moves the line, and that is still there.
      const isSwitch = lever === 'line-down' && policy.compaction.mode === 'off'
      return runtime.rules === '2026.9' && GONE_IN_2026_9.includes(lever) && !isSwitch
        ? `OpenClaw ${version?.value ?? '2026.9'} has no setting for it any more.`
        : null
    }
    case 'claude-code':
    case 'codex': {
      const [first, last] = EXAMINED[owner]
      const known = `it was examined in ${first.join('.')}${owner === 'codex' ? '' : ` to ${last.join('.')}`}`
      if (version === null)
        return `What it does is not known: ${runtime.name} states no version, and ${known}.`
      const parts = partsOf(version.value)
      return parts !== null && compare(parts, first) >= 0 && compare(parts, last) <= 0
        ? null
        : `What it does in ${runtime.name} is not known: ${known}.`
    }
    default:
      return `${runtime.name} has no settings file that is changed from here.`
  }
}

/** Releases only: what is before one may do anything. */
function partsOf(version: string): Version | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version.trim())
  return match === null ? null : match.slice(1).map(Number)
}

function compare(a: Version, b: Version): number {
  for (const [i, part] of a.entries()) {
    const other = b[i] ?? 0
    if (part !== other) return part - other
  }
  return 0
}
