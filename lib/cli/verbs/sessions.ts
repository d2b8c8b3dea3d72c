import { maskSecrets } from '../../core/redaction/secrets'
import { withoutRepeated } from '../../core/report/session-share'
import { type AgentFacts, agentsOf, linkAgents } from '../../core/transcript/agent-links'
import { type FoldedSession, foldCopies } from '../../core/transcript/copies'
import { type FileFlaw, fileFlaws } from '../../core/transcript/file-flaws'
import { type ClaimedRequest, RequestClaims, requestsOf } from '../../core/transcript/request-claims'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { type InspectedSession, inspectSession } from '../../engine/read/inspect-session'
import { readableName } from '../../view/session/session-title'
import { formatCount } from '../../view/text/format'
import { relativeTime } from '../../view/text/time'
import type { ListedTranscript } from '../choose/choose-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { openSources } from '../choose/sources'
import { EXIT, type ExitCode, type Io } from '../io'
import { figureCell, figureJson, timeJson } from '../print/figure-json'
import { noteFlaws } from '../print/note-flaws'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'

type Row = {
  readonly listed: ListedTranscript
  readonly read: InspectedSession | null
  readonly problem: string | null
  /** Calls that other transcripts may hold as well. */
  readonly requests: readonly ClaimedRequest[]
  /** Its name, with credentials covered unless they are to be shown. */
  readonly name: string | null
}

type Read = Pick<Row, 'listed' | 'read' | 'problem'>

export type SessionsOptions = ReadVerbOptions & {
  readonly reveal?: boolean
  /** Lists archives, backups and checkpoints in their own rows, too. */
  readonly copies?: boolean
}

/**
 * Lists all sessions, newest first, each read straight from its transcript. Copies of a session are counted beside it;
 * the JSON document names them.
 */
export async function sessions(io: Io, options: SessionsOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const rows: Row[] = []
  for (const listed of await sources.listAll()) {
    const row = await readRow(listed, sources.reader)
    const name = nameOf(row)
    const shown = name === null || options.reveal ? name : maskSecrets(name)
    // Nothing of the transcript itself is kept: stores can be large.
    const requests = row.read === null ? [] : requestsOf(listed.store.kind, row.read.facts, row.read.frames)
    rows.push({ ...row, requests, name: shown, read: row.read && { ...row.read, facts: [], frames: [] } })
  }
  const repeated = repeatedIn(rows)
  rows.sort((a, b) => (updatedAt(b) ?? 0) - (updatedAt(a) ?? 0))
  const folded = foldCopies(rows, copyFacts)
  const links = linkAgents(
    folded.map(({ head }) => head),
    agentFacts,
  )
  const agents = agentsOf(links)
  if (options.json) {
    await writeJson(io, {
      sessions: folded.map(({ head, copies }) => ({
        ...toJson(head, repeated),
        parent: nameJson(links.get(head)),
        agents: (agents.get(head) ?? []).map(nameJson),
        copies: copies.map((copy) => toJson(copy, repeated)),
      })),
    })
  } else {
    await write(io.stdout, toTable(options.copies ? folded.flatMap(apart) : folded, agents))
  }
  for (const row of rows) {
    const { listed, problem } = row
    const { path } = listed.transcript
    if (problem !== null && !options.json)
      await note(io, problem.includes(path) ? problem : `${path}: ${problem}`)
    await noteFlaws(io, path, flawsOf(row))
  }
  return EXIT.done
}

async function readRow(
  listed: ListedTranscript,
  reader: Parameters<typeof inspectSession>[0],
): Promise<Read> {
  const { store, transcript } = listed
  if (transcript.problem !== undefined) return { listed, read: null, problem: transcript.problem }
  try {
    return { listed, read: await inspectSession(reader, store, transcript), problem: null }
  } catch (error) {
    return { listed, read: null, problem: reasonOf(error) }
  }
}

/** Each transcript in a row, copies after their session. */
function apart({ head, copies }: FoldedSession<Row>): FoldedSession<Row>[] {
  return [{ head, copies }, ...copies.map((copy) => ({ head: copy, copies: [] }))]
}

function copyFacts(row: Row) {
  const { store, transcript } = row.listed
  const { agent, sessionId, state } = transcript
  return { store: store.root, agent, sessionId, state, updatedAt: updatedAt(row) }
}

function agentFacts({ listed: { store, transcript }, read }: Row): AgentFacts {
  const { sessionId, key, index } = transcript
  const parent = index?.spawnedBy ?? read?.totals.agentOf ?? null
  return { store: store.root, kind: store.kind, sessionId, key, parent }
}

/** What names a session, for another one that works for it. */
function nameJson(row: Row | undefined) {
  if (row === undefined) return null
  const { sessionId, key, path } = row.listed.transcript
  return { id: sessionId, key, file: path }
}

function updatedAt({ listed, read }: Row): number | null {
  return read?.totals.updatedAt ?? listed.transcript.index?.updatedAt ?? null
}

/** Calls of each row that are counted in an older one, which holds them as well. */
function repeatedIn(rows: readonly Row[]): ReadonlyMap<Row, readonly ClaimedRequest[]> {
  const claims = new RequestClaims()
  const startedAt = ({ read }: Row) => read?.totals.startedAt ?? Number.POSITIVE_INFINITY
  return new Map(
    rows.toSorted((a, b) => startedAt(a) - startedAt(b)).map((row) => [row, claims.claim(row.requests)]),
  )
}

function toJson(row: Row, repeated: ReadonlyMap<Row, readonly ClaimedRequest[]>) {
  const { listed, read, problem } = row
  const { store, transcript } = listed
  const totals = read?.totals ?? null
  return {
    id: transcript.sessionId,
    key: transcript.key,
    agent: transcript.agent,
    name: row.name,
    state: transcript.state,
    store: store.root,
    file: transcript.path,
    entries: totals?.entries ?? null,
    unreadable: totals?.unreadable ?? null,
    calls: totals?.calls ?? null,
    compactions: totals?.compactions ?? null,
    usage: totals === null ? null : usageJson(totals, repeated.get(row) ?? []),
    repeatedCalls: repeated.get(row)?.length ?? 0,
    provider: totals?.provider ?? null,
    model: totals?.model ?? null,
    window: totals?.window.tokens ?? null,
    contextTokens: figureJson(totals?.context ?? { value: null, basis: 'unknown' }),
    updatedAt: timeJson(updatedAt(row)),
    problem,
    flaws: flawsOf(row),
  }
}

/**
 * What providers reported over the whole life of the session, sub-agents inside its transcript with it; without calls
 * that are counted in another transcript. Tokens.
 */
function usageJson(totals: InspectedSession['totals'], repeated: readonly ClaimedRequest[]) {
  const { calls: _, ...usage } = withoutRepeated(totals, repeated)
  return usage
}

function flawsOf({ read }: Row): readonly FileFlaw[] {
  return read === null ? [] : fileFlaws({ ...read.totals, unfinished: read.unfinished })
}

function nameOf({ listed, read }: Read): string | null {
  const { index } = listed.transcript
  return index?.displayName ?? index?.label ?? read?.totals.name ?? null
}

function agoCell(at: number | null, now: Milliseconds): string {
  return at === null ? '?' : relativeTime(at, now)
}

function toTable(folded: readonly FoldedSession<Row>[], agents: ReadonlyMap<Row, readonly Row[]>): string {
  const copiesOf = new Map(folded.map(({ head, copies }) => [head, copies.length]))
  const rows = folded.map(({ head }) => head)
  if (rows.length === 0) return 'No sessions. "plimsoll stores" tells where they were looked for.\n'
  const now = Date.now()
  const count = (value: number | undefined) => (value === undefined ? '?' : formatCount(value))
  return renderTable(rows, [
    { title: 'SESSION', cell: ({ listed }) => listed.transcript.sessionId.slice(0, 8) },
    {
      title: 'NAME',
      cell: (row) => (row.name && readableName(row.name)) || (row.listed.transcript.key ?? ''),
      max: 36,
    },
    { title: 'AGENT', cell: ({ listed }) => listed.transcript.agent ?? '', max: 16 },
    { title: 'STATE', cell: ({ listed }) => listed.transcript.state },
    { title: 'COPIES', cell: (row) => formatCount(copiesOf.get(row) ?? 0), align: 'right' },
    { title: 'SUB-AGENTS', cell: (row) => formatCount(agents.get(row)?.length ?? 0), align: 'right' },
    { title: 'MODEL', cell: ({ read }) => read?.totals.model ?? '', max: 24 },
    { title: 'UNREADABLE', cell: ({ read }) => count(read?.totals.unreadable), align: 'right' },
    { title: 'CALLS', cell: ({ read }) => count(read?.totals.calls), align: 'right' },
    { title: 'COMPACTIONS', cell: ({ read }) => count(read?.totals.compactions), align: 'right' },
    {
      title: 'CONTEXT',
      cell: ({ read }) => (read === null ? '?' : figureCell(read.totals.context)),
      align: 'right',
    },
    { title: 'WINDOW', cell: ({ read }) => count(read?.totals.window.tokens), align: 'right' },
    { title: 'UPDATED', cell: (row) => agoCell(updatedAt(row), now), align: 'right' },
  ])
}
