import { loadLines } from '../../core/budget/load-lines'
import { actsByItself } from '../../core/budget/runtime-lines'
import type { ComparedPlan } from '../../core/compaction/compared-plan'
import type { PlanResult } from '../../core/compaction/plan'
import type { Policy } from '../../core/policy/policy'
import type { Tokens } from '../../core/units/units'
import type { DryRunPorts } from './compaction-ports'
import { dryRun } from './dry-run'
import { type PlanSource, planWindow } from './plan-session'

/** A policy with the name by which it is compared. */
export type PlanCandidate<Name extends string = string> = { readonly name: Name; readonly policy: Policy }

/**
 * Plans of several policies for one session at one call, in the order given. Each is what a run with that policy would
 * do; nothing is written and no model is asked.
 */
export async function comparePlans<Name extends string>(
  ports: DryRunPorts,
  source: PlanSource,
  candidates: readonly PlanCandidate<Name>[],
  { digest }: { readonly digest: boolean },
): Promise<ComparedPlan<Name>[]> {
  const compared: ComparedPlan<Name>[] = []
  const seen: { readonly name: Name; readonly plan: PlanResult }[] = []
  for (const { name, policy } of candidates) {
    const { plan } = await dryRun(ports, source, { policy, focus: null, digest })
    const line = compactLine(policy, planWindow(source, policy))
    const same = seen.find((known) => sameDecisions(known.plan, plan))
    seen.push({ name, plan })
    compared.push({
      name,
      line,
      crossed: crossings(source, line),
      sameAs: same?.name ?? null,
      ...outcomeOf(plan),
    })
  }
  return compared
}

type Outcome = Omit<ComparedPlan, 'name' | 'line' | 'crossed' | 'sameAs'>

function outcomeOf(plan: PlanResult): Outcome {
  const { tokensBefore } = plan
  if (plan.kind === 'nothing')
    return {
      tokensBefore,
      tokensAfter: tokensBefore,
      chunks: null,
      summaryTokens: null,
      usd: null,
      nothing: plan.why,
    }
  const chunks = { keep: 0, summarise: 0, prune: 0, drop: 0 }
  for (const { action } of plan.chunks) chunks[action] += 1
  return {
    tokensBefore,
    tokensAfter: plan.tokensAfter,
    chunks,
    summaryTokens: plan.summary.tokens,
    usd: plan.cost.usd,
    nothing: null,
  }
}

/** For plans of one session at one call. Rules may differ in name; what counts is what becomes of each chunk and what is left. */
function sameDecisions(a: PlanResult, b: PlanResult): boolean {
  if (a.kind === 'nothing' || b.kind === 'nothing') return a.kind === b.kind
  return (
    a.firstKeptEntryId === b.firstKeptEntryId &&
    a.tokensAfter.value === b.tokensAfter.value &&
    a.chunks.length === b.chunks.length &&
    a.chunks.every(({ action }, i) => action === b.chunks[i]?.action)
  )
}

function compactLine(policy: Policy, window: Tokens): Tokens | null {
  if (policy.compaction.mode === 'off') return null
  const acting = loadLines(policy, window).find((line) => !line.unreachable && actsByItself(line))
  return acting?.tokens ?? null
}

/** Calls whose prompt was at or above the line after one that was below it, up to the call of the plan. */
function crossings({ session, call }: PlanSource, line: Tokens | null): ComparedPlan['crossed'] {
  let times = 0
  let first: number | null = null
  if (line === null) return { times, first }
  let before = 0
  const calls = call === 'next' ? session.frames : session.frames.slice(0, call)
  for (const [index, { total }] of calls.entries()) {
    if (total.value === null) continue
    if (total.value >= line && before < line) {
      times += 1
      first ??= index + 1
    }
    before = total.value
  }
  return { times, first }
}
