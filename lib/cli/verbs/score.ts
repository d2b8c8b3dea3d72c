import { embeddingOf } from '../../compose/cold/embedding'
import { PROTECTIONS } from '../../core/pruning/protections'
import { DROP_REASONS } from '../../core/pruning/relevance-drop'
import { maskSecrets } from '../../core/redaction/secrets'
import { type Score, sumOfParts } from '../../core/relevance/score'
import { type CallChoice, explainCall, inspectSession } from '../../engine/read/inspect-session'
import { policySubjectOf } from '../../engine/read/session-subject'
import type { ScoredChunk } from '../../engine/relevance/score-context'
import { type ScoredSession, scoreSession } from '../../engine/relevance/score-session'
import { formatCount, formatQuantity } from '../../view/text/format'
import { resolveToUse } from '../choose/chosen-policy'
import { findSession } from '../choose/find-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { noteAsks } from '../print/note-asks'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export type ScoreOptions = ReadVerbOptions & {
  readonly session?: string
  readonly policy?: string
  readonly call: CallChoice
  /** What chunks are compared with instead of what the user asked last. */
  readonly prompt?: string
  readonly scorer?: 'seed' | 'logistic'
  /** Only the chunk that begins with this entry, or holds it. */
  readonly chunkId?: string
  readonly reveal?: boolean
}

/**
 * What each chunk of a context is worth in respect of a prompt, part by part, and what the policy would do with it.
 * Nothing is written.
 */
export async function score(io: Io, options: ScoreOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(sources.reader, store, transcript)
  const explained = explainCall(session, options.call)
  if (explained === null)
    throw new CliError(EXIT.usage, `${transcript.sessionId} has no call ${options.call}.`)
  const question = {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: policySubjectOf(session),
  }
  const { policy: inForce } = await resolveToUse(io, question)
  if (options.policy === undefined) await noteAsks(io, store)
  const relevance = {
    ...inForce.relevance,
    ...(options.scorer === undefined ? {} : { scorer: options.scorer }),
  }
  const policy = { ...inForce, relevance }
  const scored = await scoreSession(sources.reader, session, explained, {
    policy,
    embedding: embeddingOf(policy, setupOrFail(io), io.env),
    mask: maskSecrets,
    prompt: options.prompt ?? null,
    now: options.call === 'next' ? Date.now() : (explained.frame.at ?? Date.now()),
  })
  if (scored === null)
    throw new CliError(
      EXIT.usage,
      'There is nothing to hold chunks against: the context has no message of a user. Say what with --prompt.',
    )
  if (scored.scored.note !== null) await note(io, scored.scored.note)
  const rows = rowsOf(scored, options)
  if (rows.length === 0)
    throw new CliError(
      EXIT.usage,
      `No chunk of this context holds the entry ${JSON.stringify(options.chunkId)}.`,
    )
  if (options.json) await writeJson(io, toJson(scored, rows, transcript.sessionId))
  else await write(io.stdout, toText(scored, rows))
  return EXIT.done
}

type Row = {
  readonly chunk: ScoredChunk
  readonly action: 'keep' | 'summarise' | 'drop'
  readonly reason: string
  readonly why: string
  readonly text: string
}

function rowsOf({ scored, plan }: ScoredSession, { chunkId, reveal }: ScoreOptions): Row[] {
  const sentences: Readonly<Record<string, string>> = { ...DROP_REASONS, ...PROTECTIONS }
  return plan.decisions.flatMap(({ action, reason }, place) => {
    const chunk = scored.chunks[place]
    if (chunk === undefined || (chunkId !== undefined && chunk.id !== chunkId)) return []
    const start = chunk.text.trimStart().slice(0, 200)
    return [
      { chunk, action, reason, why: sentences[reason] ?? reason, text: reveal ? start : maskSecrets(start) },
    ]
  })
}

function toJson({ prompt, scored, plan }: ScoredSession, rows: readonly Row[], session: string) {
  return {
    session,
    prompt: maskSecrets(prompt),
    scorer: scored.scorer,
    similarityBy: scored.likenessBy,
    note: scored.note,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    chunks: rows.map(({ chunk, action, reason, text }) => ({
      chunkId: chunk.id,
      role: chunk.role,
      tokens: chunk.tokens,
      at: chunk.at === null ? null : new Date(chunk.at).toISOString(),
      score: chunk.score.value,
      scale: chunk.score.scale,
      parts: chunk.score.parts,
      action,
      reason,
      text,
    })),
  }
}

function toText({ prompt, scored, plan }: ScoredSession, rows: readonly Row[]): string {
  const asked = toTerminal(maskSecrets(prompt).replaceAll(/\s+/g, ' ').slice(0, 120))
  const head = `Against: ${asked}\nScorer ${scored.scorer}, likeness by ${toTerminal(scored.likenessBy)}\n\n`
  const table = renderTable(rows, [
    { title: 'CHUNK', cell: ({ chunk }) => chunk.id },
    { title: 'TOKENS', cell: ({ chunk }) => `≈ ${formatCount(chunk.tokens)}`, align: 'right' },
    { title: 'SCORE', cell: ({ chunk }) => chunk.score.value.toFixed(3), align: 'right' },
    {
      title: 'MADE OF',
      cell: ({ chunk }) => partsText(chunk.score),
      max: rows.length === 1 ? undefined : 72,
    },
    { title: 'THEN', cell: ({ action }) => action },
    { title: 'BECAUSE', cell: ({ why }) => why },
    { title: 'TEXT', cell: ({ text }) => text.replaceAll(/\s+/g, ' '), max: 40 },
  ])
  const freed = plan.tokensBefore - plan.tokensAfter
  return `${head}${table}\n${formatQuantity(plan.dropped, 'chunk')} would be dropped and ${formatCount(plan.summarised)} said in short, which frees ≈ ${formatQuantity(freed, 'token')} of ${formatCount(plan.tokensBefore)}.\n`
}

/** `similarity 0.31 + recency 0.07 + importance 0 = 0.38`; log-odds say so. */
function partsText({ parts, scale, value }: Score): string {
  const sum = parts.map(
    (part) => `${part.name} ${round(part.value)}${part.note === undefined ? '' : ` (${part.note})`}`,
  )
  const end = scale === 'sum' ? round(value) : `${round(sumOfParts(parts))} log-odds`
  return `${sum.join(' + ').replaceAll('+ -', '− ')} = ${end}`.replaceAll(' -', ' −')
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
