import 'server-only'
import { lossesInSteps } from '../core/compaction/lost'
import type { CompactionPlan } from '../core/compaction/plan'
import { maskSecrets } from '../core/redaction/secrets'
import { summariseSession } from '../engine/summarise-session'
import { type KnownMessages, readMaterial, readMessages } from '../engine/summary-material'
import type { DigestPreview } from '../view/compact-plan'
import { type LossesView, lossesView } from '../view/losses'
import type { PlanKnobs } from '../view/plan-knobs'
import { SUMMARY_PORTS } from '../wire/compaction'
import { inTurns } from './in-turns'
import { placeOf } from './inspected-session'
import { type MadePlan, makeSessionPlan } from './session-plan'

/** A summary that was written for a plan, with the messages that were read for it as long as somebody may want them. */
type Written = { readonly text: string; messages: KnownMessages }

/** By plan and focus; gone with the plan. */
const written = new WeakMap<CompactionPlan, Map<string, Promise<Written>>>()

/** Losses are asked for right behind the digest; a long session's messages are not kept for longer. Milliseconds. */
const MESSAGES_MS = 30_000

/**
 * The digest that a plan would leave. No model is asked and nothing written; null when there is no such session or call,
 * or nothing to compact.
 */
export async function getDigestPreview(id: string, knobs: PlanKnobs): Promise<DigestPreview | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const { text } = await writtenFor(made, made.plan, knobs)
  return { text: maskSecrets(text), tokens: SUMMARY_PORTS.sizeOf(text) }
}

/** What would be lost by name beside that digest; null where there is none. */
export async function getLossesPreview(id: string, knobs: PlanKnobs): Promise<LossesView | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const { session, source, plan } = made
  const summary = await writtenFor(made, plan, knobs)
  const { reader } = placeOf(session)
  const { facts } = source.session
  const messagesOf = async (kept: boolean) => {
    const seqs = plan.chunks.flatMap((chunk) => ((chunk.action === 'keep') === kept ? chunk.seqs : []))
    const wanted = seqs.flatMap((seq) => facts[seq] ?? [])
    return [...(await readMessages(reader, source, wanted, summary.messages)).values()]
  }
  const compacted = {
    summarised: await messagesOf(false),
    summary: summary.text,
    kept: await messagesOf(true),
    later: [],
  }
  summary.messages = new Map()
  const losses = await inTurns(lossesInSteps(compacted))
  const seqById = new Map(facts.flatMap(({ id: entryId, seq }) => (entryId === null ? [] : [[entryId, seq]])))
  return lossesView(losses, maskSecrets, (entryId) => seqById.get(entryId) ?? null)
}

function writtenFor(made: MadePlan, plan: CompactionPlan, { focus }: PlanKnobs): Promise<Written> {
  const known = written.get(plan) ?? new Map<string, Promise<Written>>()
  written.set(plan, known)
  const before = known.get(focus)
  if (before !== undefined) return before
  const fresh = write(made, plan, focus)
  known.set(focus, fresh)
  fresh.catch(() => known.delete(focus))
  return fresh
}

async function write(
  { session, source, policy, covering }: MadePlan,
  plan: CompactionPlan,
  focus: string,
): Promise<Written> {
  const { reader } = placeOf(session)
  const messages: KnownMessages = new Map()
  const material = await readMaterial(reader, source, plan, messages)
  const result = await summariseSession(
    reader,
    source,
    { plan, covering, material },
    {
      policy,
      chain: null,
      focus: focus === '' ? null : focus,
      maxTokens: plan.summary.tokens,
      ...SUMMARY_PORTS,
      inTurns,
    },
  )
  const done: Written = { text: result.kind === 'written' ? result.summary.text : '', messages }
  setTimeout(() => {
    done.messages = new Map()
  }, MESSAGES_MS).unref()
  return done
}
