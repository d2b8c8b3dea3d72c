import { loadLines } from '../../core/budget/load-lines'
import { toolResultReport } from '../../core/budget/tool-results'
import { maskSecrets } from '../../core/redaction/secrets'
import { CATEGORIES } from '../../core/tokens/category'
import { unsureEntries } from '../../core/tokens/cut-prompts'
import { estimated, type Figure, measured, UNKNOWN } from '../../core/tokens/figure'
import type { Frame } from '../../core/tokens/frame'
import { fileFlaws } from '../../core/transcript/file-flaws'
import { mirrorWords, ownerNow, ownerOf } from '../../core/transcript/mirror'
import { isReadable, isUsable } from '../../core/transcript/provider-checkpoint'
import { type PromptVisibility, seenJson, seenOfFrame } from '../../core/transcript/seen'
import {
  type CallChoice,
  type ExplainedCall,
  explainCall,
  type InspectedSession,
  inspectSession,
} from '../../engine/read/inspect-session'
import { CATEGORY_VIEWS } from '../../view/charts/category'
import { deviationText, exactBasis, exactNotes } from '../../view/session/exact-count'
import { CUT_CURE, callProofWords, cutWords, proofWords } from '../../view/session/seen'
import { formatCount, formatPercent, formatQuantity } from '../../view/text/format'
import { type CallProof, proofJson, proveCall } from '../choose/call-proof'
import { countCall, type ExactCounts, exactJson } from '../choose/exact-counts'
import { findSession } from '../choose/find-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { openSources } from '../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { figureCell, figureJson, timeJson } from '../print/figure-json'
import { noteFlaws } from '../print/note-flaws'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export type ContextVerbOptions = ReadVerbOptions & {
  readonly session: string
  readonly call: CallChoice
  readonly policy?: string
  /** Also counts the texts that were sent with a tokenizer. */
  readonly exact?: boolean
  /** Shows credentials in what entries say. */
  readonly reveal?: boolean
}

/** What filled the window at a call, and what the model saw then, in order. */
export async function context(io: Io, options: ContextVerbOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(sources.reader, store, transcript)
  const found = explainCall(session, options.call)
  const calls = session.totals.calls
  const flaws = fileFlaws({ ...session.totals, unfinished: session.unfinished })
  if (found === null) {
    await noteFlaws(io, transcript.path, flaws)
    const range =
      calls === 0
        ? 'It has made none yet; --call next shows what the first would see.'
        : `Calls are 1 to ${calls}, "last" and "next".`
    throw new CliError(EXIT.usage, `${transcript.sessionId} has no call ${options.call}. ${range}`, {
      calls,
    })
  }
  const explained = options.reveal ? found : withoutSecrets(found)
  const lines = options.policy === undefined ? null : await linesOf(io, options.policy, explained.frame)
  const exact = options.exact ? await countCall(sources.reader, session, explained) : null
  const proof = await proveCall(sources.reader, session, found, options.call)
  if (options.json) {
    const report = { ...toJson(session, explained, options.call, exact, proof), flaws }
    await writeJson(io, lines === null ? report : { ...report, loadLines: lines })
  } else {
    await write(io.stdout, toText(session, explained, options.call, exact, proof))
    if (lines !== null) await write(io.stdout, linesText(lines))
  }
  await noteFlaws(io, transcript.path, flaws)
  await noteUnreadable(io, session)
  return EXIT.done
}

/** Lines that could not be read are in no context; at most so many are named. */
const NAMED_LINES = 5

async function noteUnreadable(io: Io, { facts, transcript }: InspectedSession): Promise<void> {
  const broken = facts.filter(({ type }) => type === 'unreadable')
  for (const { line, problem } of broken.slice(0, NAMED_LINES)) {
    await note(
      io,
      `${transcript.path}:${line} cannot be read: ${maskSecrets(problem ?? 'no reason is known')}`,
    )
  }
  const more = broken.length - NAMED_LINES
  if (more > 0) await note(io, `${formatQuantity(more, 'more line')} cannot be read.`)
}

/** The call with credentials covered in what its entries say; nothing else of them changes. */
function withoutSecrets(call: ExplainedCall): ExplainedCall {
  const entries = call.entries.map((part) => {
    const { fact } = part.entry
    if (fact.preview === undefined) return part
    return { ...part, entry: { ...part.entry, fact: { ...fact, preview: maskSecrets(fact.preview) } } }
  })
  return { ...call, entries }
}

/** The lines of a named policy at a call, and which of them its prompt had passed. */
async function linesOf(io: Io, policy: string, frame: Frame) {
  const { NO_QUESTION, resolveChosen } = await import('../choose/chosen-policy')
  const resolved = await resolveChosen(io, { ...NO_QUESTION, chosen: policy })
  const total = frame.total.value
  return loadLines(resolved.policy, frame.window.tokens)
    .filter((line) => !line.unreachable)
    .map(({ name, tokens, pct }) => ({
      name,
      tokens,
      pct: Math.round(pct * 10) / 10,
      passed: total === null ? null : total >= tokens,
    }))
}

function linesText(lines: Awaited<ReturnType<typeof linesOf>>): string {
  const table = renderTable(lines, [
    { title: 'LOAD LINE', cell: (line) => line.name },
    { title: 'AT', align: 'right', cell: (line) => formatCount(line.tokens) },
    { title: '', cell: (line) => (line.passed ? 'passed' : '') },
  ])
  return `\n${table}`
}

/** A category's tokens with their basis; the error of the estimated ones is the frame's. */
function categoryFigure(frame: Frame, category: (typeof CATEGORIES)[number]): Figure {
  const tokens = frame.categories[category]
  if (tokens === undefined) return UNKNOWN
  return frame.basis[category] === 'measured' ? measured(tokens) : estimated(tokens, frame.errorPct ?? 0)
}

function toJson(
  session: InspectedSession,
  { frame, entries }: ExplainedCall,
  choice: CallChoice,
  exact: ExactCounts | null,
  proof: CallProof | null,
) {
  const { transcript, totals } = session
  const seen = seenOf(session, choice, frame, proof)
  const unsure = unsureOf(seen, entries)
  return {
    session: transcript.sessionId,
    file: transcript.path,
    call: choice === 'next' ? 'next' : frame.call,
    calls: totals.calls,
    at: timeJson(frame.at),
    provider: frame.provider,
    model: frame.model,
    window: frame.window.tokens,
    windowSource: frame.window.source,
    total: figureJson(frame.total),
    ...seenJson(seen),
    ...proofJson(proof),
    categories: CATEGORIES.filter((category) => frame.categories[category] !== undefined).map((category) => {
      const { value, ...rest } = figureJson(categoryFigure(frame, category))
      return { category, tokens: value, ...rest }
    }),
    output: figureJson(frame.output),
    stopReason: frame.stopReason,
    toolResults: toolResultReport(entries),
    ...(exact === null ? {} : { exact: exactTotal(exact) }),
    entries: entries.map(({ entry, category, tokens }, i) => ({
      id: entry.fact.id,
      line: entry.fact.line,
      role: roleOf(entry.fact),
      category,
      tokens,
      sent: entry.sent,
      ...(entry.replayed && { replayed: replayedJson(entry.fact) }),
      ...(entry.why === undefined ? {} : { why: entry.why }),
      ...(entry.sent && i < unsure ? { seen: 'unknown' } : {}),
      ...(exact === null ? {} : { exact: exactJson(exact, entry.fact.seq) }),
      at: timeJson(entry.fact.at),
      preview: entry.fact.preview ?? null,
    })),
  }
}

/** Whether the model saw what was sent at a call. */
function seenOf(
  { transcript, facts }: InspectedSession,
  choice: CallChoice,
  frame: Frame,
  proof: CallProof | null,
): PromptVisibility {
  const owner =
    choice === 'next'
      ? ownerNow(transcript.index, facts)
      : ownerOf(transcript.index, facts[frame.seq] ?? null)
  if (owner !== null) return { kind: 'mirror', owner }
  const seen = seenOfFrame(frame)
  return seen.kind === 'all' && proof?.request?.unproved === null ? { kind: 'proved' } : seen
}

function seenText(seen: PromptVisibility, sent: number | null): string {
  switch (seen.kind) {
    case 'mirror':
      return `${toTerminal(mirrorWords(seen.owner))}\n`
    case 'cut':
      return `${cutWords(seen.seenTokens, sent)} ${CUT_CURE}\n`
    case 'all':
    case 'proved':
      return ''
  }
}

/** The provider's checkpoint that is sent in place of what came before an entry. */
function replayedJson({ checkpoint }: Fact) {
  if (!isUsable(checkpoint)) return null
  const { route, covers, chars, windowMessages = 0, text } = checkpoint
  return {
    provider: route.provider,
    model: route.model,
    readable: isReadable(checkpoint),
    text: text === undefined ? null : maskSecrets(text),
    chars,
    windowMessages,
    coversBlocks: covers,
  }
}

/** How many of the first entries a cut prompt may have lost. */
function unsureOf(seen: PromptVisibility, entries: ExplainedCall['entries']): number {
  if (seen.kind !== 'cut') return 0
  return unsureEntries(
    entries.map(({ tokens }) => tokens),
    seen.seenTokens,
  )
}

/** The count of all entries that were sent, in a document for programs. */
function exactTotal({ report }: ExactCounts) {
  const { tokens, estimated: same, entries, unreadable, images, encoding, own } = report
  return {
    tokens,
    basis: exactBasis(report),
    encoding,
    modelsOwn: own,
    estimated: same,
    entries,
    unreadable,
    images,
    notes: exactNotes(report),
  }
}

type Fact = ExplainedCall['entries'][number]['entry']['fact']

/** The role as the runtime's own context has it. */
function roleOf(fact: Fact): string {
  if (fact.role !== undefined) return fact.role
  switch (fact.type) {
    case 'compaction':
      return 'compactionSummary'
    case 'branch_summary':
      return 'branchSummary'
    default:
      return 'custom'
  }
}

function toText(
  session: InspectedSession,
  { frame, entries }: ExplainedCall,
  choice: CallChoice,
  exact: ExactCounts | null,
  proof: CallProof | null,
): string {
  const { transcript, totals } = session
  const seen = seenOf(session, choice, frame, proof)
  const { calls } = totals
  const call = choice === 'next' ? `next call (after ${calls})` : `call ${frame.call} of ${calls}`
  const total = frame.total.value ?? 0
  const share = frame.total.value === null ? '' : ` (${formatPercent(total / frame.window.tokens)})`
  const head = `${toTerminal(transcript.sessionId)}: ${call}, ${toTerminal(frame.model ?? 'unknown model')}\n${figureCell(frame.total)} of ${formatCount(frame.window.tokens)} tokens of the window${share}\n\n`
  const present = CATEGORIES.filter((category) => frame.categories[category] !== undefined)
  const categories = renderTable(present, [
    { title: 'CATEGORY', cell: (category) => CATEGORY_VIEWS[category].label },
    { title: 'TOKENS', cell: (category) => figureCell(categoryFigure(frame, category)), align: 'right' },
    {
      title: 'SHARE',
      cell: (category) => (total === 0 ? '' : formatPercent((frame.categories[category] ?? 0) / total)),
      align: 'right',
    },
  ])
  const unsure = new Set(entries.slice(0, unsureOf(seen, entries)))
  const list = renderTable(entries, [
    { title: 'LINE', cell: ({ entry }) => formatCount(entry.fact.line), align: 'right' },
    { title: 'ROLE', cell: ({ entry }) => roleOf(entry.fact) },
    { title: 'TOKENS', cell: ({ tokens }) => `≈ ${formatCount(tokens)}`, align: 'right' },
    ...(exact === null
      ? []
      : [
          {
            title: 'COUNTED',
            cell: ({ entry }: ExplainedCall['entries'][number]) => countedCell(exact, entry.fact.seq),
            align: 'right' as const,
          },
        ]),
    {
      title: 'SENT',
      cell: (part) => (part.entry.sent ? (unsure.has(part) ? 'seen?' : '') : `no: ${part.entry.why ?? ''}`),
    },
    { title: 'TEXT', cell: ({ entry }) => textCell(entry), max: 60 },
  ])
  const assumed = entries[0]?.entry.replayed ? `\n${ASSUMED}\n` : ''
  const proved =
    proof === null
      ? ''
      : `${proofWords(proof.totals)}${proof.request === null ? '' : `. ${callProofWords(proof.request.unproved)}`}\n`
  const words = `${seenText(seen, frame.total.value)}${proved}`
  return `${head}${words === '' ? '' : `${words}\n`}${categories}${assumed}\n${formatQuantity(entries.length, 'entry', 'entries')} in the context, in order:\n${list}${exact === null ? '' : exactText(exact)}`
}

function textCell({ fact, replayed }: ExplainedCall['entries'][number]['entry']): string {
  if (!replayed || !isUsable(fact.checkpoint)) return fact.preview ?? ''
  return `[compacted by the provider: ${maskSecrets(fact.checkpoint.text ?? 'unknown, encrypted')}] ${fact.preview ?? ''}`
}

/** What is assumed of a call whose prompt begins with a provider's checkpoint. */
const ASSUMED =
  'The provider compacted what came before on its own side. That the call went the same way (address, login) is assumed: transcripts do not tell.'

function countedCell({ entries }: ExactCounts, seq: number): string {
  const count = entries.get(seq)
  return count === undefined ? '' : formatCount(count.tokens)
}

function exactText({ report }: ExactCounts): string {
  const { tokens, estimated: same, entries } = report
  const deviation = deviationText(same, tokens)
  const beside = deviation === '' ? '' : `; estimated ≈ ${formatCount(same ?? 0)} (${deviation})`
  const lines = [
    `Counted ${formatCount(tokens)} tokens in ${formatQuantity(entries, 'entry', 'entries')}, ${exactBasis(report)}${beside}`,
    ...exactNotes(report),
  ]
  return `\n${lines.map(toTerminal).join('\n')}\n`
}
