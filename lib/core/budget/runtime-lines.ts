import { claudeCodeLine } from '../policy/runtime/claude-code-rules'
import { codexLine } from '../policy/runtime/codex-rules'
import type { RuntimePolicy } from '../policy/runtime/runtime-policy'
import type { Tokens } from '../units/units'
import { policyReserve } from './guard'
import { type LineKind, type LoadLine, loadLines } from './load-lines'

/** A line of the ladder, or `provider`: the provider compacts on its side. */
export type RuntimeLineKind = LineKind | 'provider'

/** A line that a runtime really has. */
export type RuntimeLine = Omit<LoadLine, 'kind'> & { readonly kind: RuntimeLineKind }

const ACTING: readonly RuntimeLineKind[] = ['compact', 'hard', 'provider']

/** Whether somebody compacts at a line without being asked. */
export function actsByItself({ kind }: Pick<RuntimeLine, 'kind'>): boolean {
  return ACTING.includes(kind)
}

/** 2026.7 leaves at least this many tokens for the prompt, or half of a window that is smaller than twice of it. */
const MIN_PROMPT_TOKENS = 8_000

/**
 * Share of the window at which a provider is asked to compact on its side (lib/docs/openclaw.md#provider-checkpoints).
 */
const PROVIDER_SHARE = 0.7

/** Anthropic's own compaction acts at no less than this. Tokens. */
const ANTHROPIC_LEAST = 50_000

/** Tokens that a runtime keeps free of a window of this size. */
export function runtimeReserve({ policy, runtime }: RuntimePolicy, window: Tokens): number {
  if (runtime.rules !== '2026.7') return policyReserve(policy, window)
  const least = Math.min(MIN_PROMPT_TOKENS, Math.max(1, Math.floor(window / 2)))
  return Math.min(Math.max(policy.reserve.tokens, policy.reserve.floor), Math.max(0, window - least))
}

/**
 * From how many tokens on the runtime compacts automatically; null where it does not: its compaction is switched off,
 * or its line lies below nothing. The provider's own line is another one.
 */
export function runtimeCompactLine(runtime: RuntimePolicy, window: Tokens): number | null {
  const { policy } = runtime
  if (policy.compaction.mode === 'off') return null
  const { client } = runtime.runtime
  if (client !== null)
    return positive(client.kind === 'codex' ? codexLine(client, window) : claudeCodeLine(client, window))
  switch (runtime.runtime.rules) {
    // Before each reply, and so far below the reserve as memory is flushed, whether it is or not.
    case '2026.7':
      return positive(window - policy.reserve.floor - policy.flush.softThresholdTokens)
    case '2026.9':
      return positive(Math.max(window - runtimeReserve(runtime, window), providerLine(runtime, window) ?? 0))
    case 'library':
      return libraryLine(policy, window)
    default:
      return positive(window - runtimeReserve(runtime, window))
  }
}

/** The lowest of the ladder's lines at which the library compacts. */
function libraryLine(policy: RuntimePolicy['policy'], window: Tokens): number | null {
  const acting = loadLines(policy, window).filter(({ kind }) => kind === 'compact' || kind === 'hard')
  return acting[0]?.tokens ?? null
}

/** The lines that a runtime really has in a window, lowest first. What it does not have is not among them. */
export function runtimeLines(runtime: RuntimePolicy, window: Tokens): RuntimeLine[] {
  const { policy } = runtime
  // Of the library all; of others those that a file beside the runtime's own names by share (memfas, GoClaw).
  const named = loadLines(withoutAhead(runtime), window)
  if (runtime.runtime.kind === 'library') return named
  const compact = runtimeCompactLine(runtime, window)
  const flush = compact === null ? null : flushLine(runtime, window)
  const provider = providerLine(runtime, window)
  const own = policy.lines.compact.enabled ? 'runtime compact' : 'compact'
  return [
    ...named,
    ...(compact === null ? [] : [line('compact', own, compact, window)]),
    ...(flush === null ? [] : [line('flush', 'flush', flush, window)]),
    ...(provider === null ? [] : [line('provider', 'provider compact', provider, window)]),
  ].sort((a, b) => a.tokens - b.tokens)
}

/** A runtime has the flush ahead of its compaction at its own place, see `flushLine`. */
function withoutAhead({ policy, runtime }: RuntimePolicy): RuntimePolicy['policy'] {
  return runtime.kind === 'library'
    ? policy
    : { ...policy, flush: { ...policy.flush, softThresholdTokens: 0 } }
}

function flushLine({ policy, runtime }: RuntimePolicy, window: Tokens): number | null {
  if (!policy.lines.flush.enabled || policy.lines.flush.at.length > 0 || runtime.kind !== 'openclaw')
    return null
  const { softThresholdTokens } = policy.flush
  const { floor } = policy.reserve
  if (runtime.rules !== '2026.9') return positive(window - floor - softThresholdTokens)
  const reserve = Math.min(floor, Math.floor(window * policy.reserve.maxShare))
  return positive(window - reserve - Math.min(softThresholdTokens, Math.floor((window - reserve) / 2)))
}

/** Where the provider is asked to compact on its side; null where it is not. */
function providerLine({ policy, runtime }: RuntimePolicy, window: Tokens): number | null {
  if (runtime.provider === null || policy.compaction.mode === 'off') return null
  const asked = runtime.providerThreshold ?? Math.floor(window * PROVIDER_SHARE)
  return runtime.provider === 'anthropic' ? Math.max(ANTHROPIC_LEAST, asked) : asked
}

function line(kind: RuntimeLineKind, name: string, tokens: Tokens, window: Tokens): RuntimeLine {
  return { kind, name, tokens, pct: window === 0 ? 0 : (tokens / window) * 100 }
}

function positive(tokens: Tokens): number | null {
  return tokens > 0 ? tokens : null
}
