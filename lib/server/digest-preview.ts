import 'server-only'
import { lossesOf } from '../core/compaction/lost'
import { maskSecrets } from '../core/redaction/secrets'
import { summariseSession } from '../engine/summarise-session'
import { readMaterial, readMessages } from '../engine/summary-material'
import type { DigestPreview } from '../view/compact-plan'
import { lossesView } from '../view/losses'
import type { PlanKnobs } from '../view/plan-knobs'
import { SUMMARY_PORTS } from '../wire/compaction'
import { placeOf } from './inspected-session'
import { makeSessionPlan } from './session-plan'

/**
 * The digest that a plan would leave, and what would be lost by name beside it. No model is asked and nothing written;
 * null when there is no such session or call, or nothing to compact.
 */
export async function getDigestPreview(id: string, knobs: PlanKnobs): Promise<DigestPreview | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const { session, source, policy, plan, covering } = made
  const { reader } = placeOf(session)
  const material = await readMaterial(reader, source, plan)
  const written = await summariseSession(
    reader,
    source,
    { plan, covering, material },
    {
      policy,
      chain: null,
      focus: knobs.focus === '' ? null : knobs.focus,
      maxTokens: plan.summary.tokens,
      ...SUMMARY_PORTS,
    },
  )
  const text = written.kind === 'written' ? written.summary.text : ''
  const { facts } = source.session
  const messagesOf = async (kept: boolean) => {
    const seqs = plan.chunks.flatMap((chunk) => ((chunk.action === 'keep') === kept ? chunk.seqs : []))
    const wanted = seqs.flatMap((seq) => facts[seq] ?? [])
    return [...(await readMessages(reader, source, wanted)).values()]
  }
  const losses = lossesOf({
    summarised: await messagesOf(false),
    summary: text,
    kept: await messagesOf(true),
    later: [],
  })
  const seqById = new Map(facts.flatMap(({ id: entryId, seq }) => (entryId === null ? [] : [[entryId, seq]])))
  return {
    text: maskSecrets(text),
    tokens: SUMMARY_PORTS.sizeOf(text),
    losses: lossesView(losses, maskSecrets, (entryId) => seqById.get(entryId) ?? null),
  }
}
