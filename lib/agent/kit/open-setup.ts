import { guardWarning, guardWindow, type PolicyWindow, policyWindow } from '../../core/budget/guard'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits, type TextEstimator } from '../../core/tokens/estimate'
import { listedWindow } from '../../core/tokens/listed-models'
import type { Milliseconds, Tokens } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { transientCold } from '../../engine/cold/transient-cold'
import { type CallScope, plainCallScope } from '../../engine/jobs/call-scope'
import { TimeLimit } from '../../engine/jobs/time-limit'
import type { Clock } from '../../engine/read/ports'
import type { SummaryChain } from '../../engine/summary/summary-chain'
import { WindowRefused } from '../live-gauge'
import { checkOptions } from './check-options'
import type { ContextOptions } from './context-options'
import { dropsByRelevance, kitPolicy } from './kit-policy'
import { NotedWorkspace } from './noted-workspace'
import { shownValue } from './option-error'
import { RecordingCold } from './recording-cold'
import { chainOf } from './summary-model'

/** The largest time that a date can have. */
const LATEST: Milliseconds = 8.64e15

/** Options of a context with everything decided that they leave open. */
export type ContextSetup = Omit<
  ContextOptions,
  'policy' | 'window' | 'session' | 'cold' | 'workspace' | 'summary'
> & {
  readonly session: string
  readonly policy: Policy
  readonly window: PolicyWindow
  readonly dropsByRelevance: boolean
  readonly cold: RecordingCold
  readonly workspace?: NotedWorkspace
  readonly chain: SummaryChain | null
  readonly clock: Clock
  readonly scope: CallScope
  readonly countText: TextEstimator
  /** Sentences for the operator that were not yet handed out. */
  readonly warnings: WarningList
}

/** Decides what the options leave open, and refuses what cannot work. */
export function openSetup(given: unknown, scope: CallScope = plainCallScope()): ContextSetup {
  checkOptions(given)
  const { window: named, cold = transientCold(), workspace, summary, countTokens, ...options } = given
  const { tasks, facts } = options
  const limit = new TimeLimit(options.timeLimit)
  // Conversations that share a store and have no name must not find each other's chunks.
  const session = given.session ?? crypto.randomUUID()
  const policy = kitPolicy(given)
  const window = kitWindow(policy, given, named)
  const guard = guardWindow(policy, window)
  const word = guardWarning(guard, window.tokens)
  if (guard.verdict === 'block')
    throw new WindowRefused(
      `${word} Give the model's own \`window\`, or allow smaller ones: { policy: { window: { blockBelow: 4000 } } }.`,
    )
  const warnings = new WarningList(options.onWarning)
  if (window.source === 'default')
    warnings.add(
      `The list of models does not know the window of ${shownValue(given.model)}: ${window.tokens} tokens are assumed (policy.window.default). Give \`window\` to be sure.`,
    )
  const clock = { now: options.now === undefined ? Date.now : guardedTime(options.now, warnings) }
  return {
    ...options,
    session,
    policy,
    window,
    dropsByRelevance: dropsByRelevance(given.policy),
    // Within the record, so that what is taken too late is not in it.
    cold: new RecordingCold(limit.port('cold', cold)),
    ...(workspace && { workspace: new NotedWorkspace(workspace, limit) }),
    ...(tasks && { tasks: limit.port('tasks', tasks) }),
    ...(facts && { facts: limit.port('facts', facts) }),
    chain: chainFor(summary, clock),
    clock,
    scope,
    countText: countTokens === undefined ? estimateUnits : guardedCount(countTokens, warnings),
    warnings,
  }
}

function chainFor(summary: ContextOptions['summary'], clock: Clock): SummaryChain | null {
  if (summary === undefined) return null
  return typeof summary === 'function' ? chainOf(summary, clock) : summary
}

/** What the caller says beats every list; the policy's cap holds for both. */
function kitWindow(
  policy: Policy,
  { model, provider }: Pick<ContextOptions, 'model' | 'provider'>,
  named: Tokens | undefined,
): PolicyWindow {
  const listed = () => listedWindow(provider ?? null, model)
  const believed = policyWindow(policy, { index: null, listed }, model)
  if (named === undefined) return believed
  const { cap } = policy.window
  return cap !== null && cap < named
    ? { tokens: cap, source: 'cap', uncapped: named }
    : { tokens: named, source: 'policy', uncapped: named }
}

/** A counter that fails, or answers no number, costs a warning once and is replaced by the estimator for that text. */
function guardedCount(count: TextEstimator, warnings: WarningList): TextEstimator {
  let isSaid = false
  const say = (why: string) => {
    if (!isSaid) warnings.add(`countTokens ${why}; the estimator counts in its place.`)
    isSaid = true
  }
  return (text) => {
    try {
      const tokens: unknown = count(text)
      if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0) return tokens
      say(`answered ${shownValue(tokens)}, and no number of tokens`)
    } catch (error) {
      say(`failed: ${reasonOf(error)}`)
    }
    return estimateUnits(text)
  }
}

/** A clock that fails, or answers no time, costs a warning once and goes on from the last time that it gave. */
function guardedTime(now: () => Milliseconds, warnings: WarningList): () => Milliseconds {
  let last: Milliseconds = 0
  let isSaid = false
  const say = (why: string) => {
    if (!isSaid) warnings.add(`now ${why}. The last time that it gave is taken.`)
    isSaid = true
  }
  return () => {
    try {
      const time: unknown = now()
      if (typeof time === 'number' && Math.abs(time) <= LATEST) last = time
      else {
        say(`answered ${shownValue(time)}, and no time in milliseconds`)
        // A promise that is rejected later ends the process where nothing waits for it.
        void Promise.resolve(time).catch(() => undefined)
      }
    } catch (error) {
      say(`failed: ${reasonOf(error)}`)
    }
    return last
  }
}

/** Warnings until they are handed out; each is also passed on as it comes. */
class WarningList {
  private waiting: string[] = []

  constructor(private readonly onWarning: ((warning: string) => void) | undefined) {}

  add(...warnings: readonly string[]): void {
    for (const warning of warnings) {
      this.waiting.push(warning)
      try {
        this.onWarning?.(warning)
      } catch {
        // It is in the result as well.
      }
    }
  }

  take(): readonly string[] {
    return this.waiting.splice(0)
  }
}
