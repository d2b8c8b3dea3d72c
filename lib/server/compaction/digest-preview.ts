import 'server-only'
import { lossesInSteps } from '../../core/compaction/lost'
import type { CompactionPlan } from '../../core/compaction/plan'
import { maskSecrets } from '../../core/redaction/secrets'
import { previewDigest } from '../../engine/compaction/dry-run'
import type { PlanSource } from '../../engine/compaction/plan-session'
import { type KnownMessages, readMessages } from '../../engine/compaction/summary-material'
import type { DigestPreview } from '../../view/compaction/compact-plan'
import { type LossesView, lossesView } from '../../view/compaction/losses'
import type { PlanKnobs } from '../../view/compaction/plan-knobs'
import { inTurns } from './in-turns'
import { type MadePlan, makeSessionPlan } from './session-plan'

/** Texts of summaries, by plan and focus; gone with the plan. */
const written = new WeakMap<CompactionPlan, Map<string, Promise<string>>>()

/** Messages of a session at an earlier time, as long as they may be needed. */
type Held = { readonly messages: KnownMessages; readonly timer: NodeJS.Timeout }

/** By session as it was read, so that a knob that moves reads only what it adds. */
const held = new WeakMap<PlanSource, Held>()

/**
 * Losses, and the next place of a knob, are asked for right behind a digest; messages are not kept for longer.
 * Milliseconds.
 */
const MESSAGES_MS = 30_000

/**
 * The digest that a plan would leave. No model is asked and nothing written; null when there is no such session or
 * call, or nothing to compact.
 */
export async function getDigestPreview(id: string, knobs: PlanKnobs): Promise<DigestPreview | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const text = await writtenFor(made, made.plan)
  return { text: maskSecrets(text), tokens: made.ports.summary.sizeOf(text) }
}

/** What would be lost by name beside that digest; null where there is none. */
export async function getLossesPreview(id: string, knobs: PlanKnobs): Promise<LossesView | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const { source, plan, ports } = made
  const summary = await writtenFor(made, plan)
  const messages = messagesFor(source)
  const { facts } = source.session
  const messagesOf = async (kept: boolean) => {
    const seqs = plan.chunks.flatMap((chunk) => ((chunk.action === 'keep') === kept ? chunk.seqs : []))
    const wanted = seqs.flatMap((seq) => facts[seq] ?? [])
    return [...(await readMessages(ports.reader, source, wanted, messages)).values()]
  }
  const compacted = {
    summarised: await messagesOf(false),
    summary,
    kept: await messagesOf(true),
    later: [],
  }
  const losses = await inTurns(lossesInSteps(compacted))
  const seqById = new Map(facts.flatMap(({ id: entryId, seq }) => (entryId === null ? [] : [[entryId, seq]])))
  return lossesView(losses, maskSecrets, (entryId) => seqById.get(entryId) ?? null)
}

/** The text that a plan would leave in the place of what it takes away, made once. */
export function writtenFor(made: MadePlan, plan: CompactionPlan): Promise<string> {
  const known = written.get(plan) ?? new Map<string, Promise<string>>()
  written.set(plan, known)
  const focus = made.focus ?? ''
  const before = known.get(focus)
  if (before !== undefined) return before
  const fresh = previewDigest(made.ports, made, plan, { known: messagesFor(made.source), inTurns })
  known.set(focus, fresh)
  fresh.catch(() => known.delete(focus))
  return fresh
}

/** What was read of a session so far; forgotten when no request has used it for a while. */
function messagesFor(source: PlanSource): KnownMessages {
  const known = held.get(source)
  if (known !== undefined) {
    known.timer.refresh()
    return known.messages
  }
  const messages: KnownMessages = new Map()
  const timer = setTimeout(() => held.delete(source), MESSAGES_MS).unref()
  held.set(source, { messages, timer })
  return messages
}
