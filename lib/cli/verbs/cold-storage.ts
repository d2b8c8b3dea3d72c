import { coldPlaces, withColdPlaces } from '../../compose/cold/cold'
import type { PoliciesOfStores } from '../../compose/policy/policy-sources'
import { isExpired } from '../../core/cold/retention'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Milliseconds, Tokens } from '../../core/units/units'
import { type ColdPlace, removerOf } from '../../engine/cold/cold-places'
import type { ColdChunk, ColdProblem } from '../../engine/cold/cold-store'
import { extendChunk } from '../../engine/cold/extend-chunk'
import { purgeCold } from '../../engine/cold/purge-cold'
import { type ArchiveSearch, isArchive, searchArchives } from '../../engine/cold/search-archives'
import type { ColdFilter, ColdFinder, ColdSearch, FoundChunk } from '../../engine/cold/search-cold'
import { extensionWords, leftAloneWords, purgeWords } from '../../view/cold/cold-outcomes'
import { formatCount, formatQuantity } from '../../view/text/format'
import { makeSnippet, searchTerms, snippetStart } from '../../view/text/snippet'
import { absoluteTimeUtc } from '../../view/text/time'
import { policiesFor } from '../choose/chosen-policy'
import { chunkOrFail } from '../choose/cold-places'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export const COLD_ACTIONS = ['list', 'search', 'extend', 'purge'] as const

export type ColdStorageOptions = {
  readonly action: string
  /** `search`: the words. */
  readonly rest: readonly string[]
  readonly json?: boolean
  readonly policy?: string
  readonly session?: string
  readonly reason?: string
  readonly minScore?: number
  readonly maxScore?: number
  /** Milliseconds since the epoch. */
  readonly since?: number
  readonly until?: number
  readonly expired?: boolean
  readonly limit: number
  /** `search`: also in transcripts that were reset, deleted or archived. */
  readonly archives?: boolean
  readonly store?: readonly string[]
  /** `extend`: from now on. */
  readonly days?: number
  /** `purge`: really do it. */
  readonly apply?: boolean
}

/** Lists, searches, keeps longer and purges what was dropped. Only `extend` and `purge --apply` change a chunk. */
export async function coldStorage(io: Io, options: ColdStorageOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const policies = await policiesFor(io, options)
  const places = coldPlaces(setup, policies)
  switch (options.action) {
    case 'list':
    case 'search': {
      const words = wordsOf(options)
      const search = await withColdPlaces(setup, places, (finder) =>
        finder.search(words, filterOf(options), options.limit),
      )
      const view = { roots: places.map(({ store }) => store.root), words, now: Date.now(), search }
      const archived = await findArchived(io, options, words)
      if (options.json) {
        const archives = archived === null ? {} : { archives: archiveJson(archived, words) }
        await writeJson(io, { ...listJson(view), ...archives })
      } else {
        await write(io.stdout, listText(view))
        if (archived !== null) await write(io.stdout, archiveText(archived, words))
      }
      await noteProblems(io, search.problems)
      for (const problem of archived?.problems ?? []) await note(io, problem)
      return EXIT.done
    }
    case 'extend':
      return extend(io, options, policies)
    case 'purge':
      return withColdPlaces(setup, places, (finder) => purge(io, options, places, finder))
    default:
      throw new CliError(
        EXIT.usage,
        `cold-storage knows ${COLD_ACTIONS.join(', ')}, not ${JSON.stringify(options.action)}.`,
      )
  }
}

function wordsOf({ action, rest }: ColdStorageOptions): string | null {
  const words = rest.join(' ').trim()
  if (action === 'search' && words === '')
    throw new CliError(EXIT.usage, 'Say what to look for: plimsoll cold-storage search WORDS')
  if (action === 'list' && words !== '')
    throw new CliError(EXIT.usage, `"list" takes no words. To look for some: cold-storage search ${words}`)
  return words === '' ? null : words
}

function filterOf(options: ColdStorageOptions): ColdFilter {
  return {
    session: options.session ?? null,
    reason: options.reason ?? null,
    minScore: options.minScore ?? null,
    maxScore: options.maxScore ?? null,
    since: options.since ?? null,
    until: options.until ?? null,
    expired: options.expired ?? false,
  }
}

type ListView = {
  readonly roots: readonly string[]
  readonly words: string | null
  readonly now: Milliseconds
  readonly search: ColdSearch
}

function listJson({ roots, words, now, search }: ListView) {
  return {
    ...rootsJson(roots),
    ...(words === null ? {} : { query: words }),
    total: search.matching ?? search.found.length,
    chunks: search.found.map(({ chunk, rank }) => ({
      ...chunkJson(chunk, now),
      ...(rank === null ? {} : { rank }),
      snippet: snippetOf(chunk, words),
    })),
    problems: search.problems,
  }
}

/** Policies of several stores may name several folders; most often there is one. */
function rootsJson(roots: readonly string[]) {
  return { root: roots[0], roots }
}

function chunkJson(chunk: ColdChunk, now: Milliseconds) {
  const { chunkId, sessionId, at, until, tokens, reason, score, prompt, file } = chunk
  return {
    id: chunkId,
    session: sessionId,
    at: timeJson(at),
    ageSeconds: at === null ? null : Math.round((now - at) / 1000),
    tokens,
    reason,
    score,
    promptAtDrop: prompt === null ? null : maskSecrets(prompt),
    until: timeJson(until),
    expired: isExpired(chunk, now),
    file,
  }
}

function snippetOf({ content }: Pick<ColdChunk, 'content'>, words: string | null): string {
  const text = maskSecrets(content)
  const parts = (words === null ? null : makeSnippet(text, searchTerms(words))) ?? snippetStart(text)
  return parts.map((part) => part.text).join('')
}

function listText({ roots, words, now, search }: ListView): string {
  const { found, matching } = search
  if (found.length === 0) {
    const what = words === null ? 'No chunks are' : `No chunk with ${JSON.stringify(words)} is`
    return `${what} in cold storage (${roots.join(', ')}).\n`
  }
  const table = renderTable(found, [
    { title: 'ID', cell: ({ chunk }) => chunk.chunkId, max: 40 },
    { title: 'SESSION', cell: ({ chunk }) => chunk.sessionId, max: 36 },
    {
      title: 'AGE',
      align: 'right',
      cell: ({ chunk }) => (chunk.at === null ? '?' : ageText(now - chunk.at)),
    },
    { title: 'TOKENS', align: 'right', cell: ({ chunk }) => countOr(chunk.tokens) },
    {
      title: 'UNTIL (UTC)',
      cell: ({ chunk }) => (chunk.until === null ? '?' : absoluteTimeUtc(chunk.until)),
    },
    { title: 'SCORE', align: 'right', cell: ({ chunk }) => chunk.score?.toFixed(2) ?? '?' },
    { title: 'REASON', cell: ({ chunk }) => chunk.reason ?? '?', max: 20 },
    { title: 'TEXT', cell: ({ chunk }: FoundChunk) => snippetOf(chunk, words), max: 70 },
  ])
  const more = matching !== null && matching > found.length
  return `${table}${more ? `${formatCount(matching - found.length)} older ones: --limit ${matching}\n` : ''}`
}

/** What the runtimes archived; null when it was not asked for. */
async function findArchived(
  io: Io,
  { archives, store, limit }: ColdStorageOptions,
  words: string | null,
): Promise<ArchiveSearch | null> {
  if (!archives) return null
  if (words === null) throw new CliError(EXIT.usage, '--archives is for "cold-storage search WORDS".')
  const sources = await openSources(io, store)
  const all = await sources.listAll()
  return searchArchives(
    sources.reader,
    all.filter(({ transcript }) => isArchive(transcript)),
    words,
    limit,
  )
}

function archiveJson({ hits }: ArchiveSearch, words: string | null) {
  return hits.map(({ entry: { transcript, fact, text }, rank }) => ({
    session: transcript.sessionId,
    state: transcript.state,
    file: transcript.path,
    entry: fact.id,
    line: fact.line,
    at: timeJson(fact.at),
    role: fact.role ?? null,
    rank,
    snippet: snippetOf({ content: text }, words),
  }))
}

function archiveText({ hits, transcripts }: ArchiveSearch, words: string | null): string {
  if (hits.length === 0) return `Nothing in ${formatQuantity(transcripts, 'archived transcript')}.\n`
  const table = renderTable(hits, [
    { title: 'SESSION', cell: ({ entry }) => entry.transcript.sessionId, max: 36 },
    { title: 'STATE', cell: ({ entry }) => entry.transcript.state },
    { title: 'ENTRY', cell: ({ entry }) => entry.fact.id ?? `line ${entry.fact.line}`, max: 20 },
    { title: 'TEXT', cell: ({ entry }) => snippetOf({ content: entry.text }, words), max: 70 },
  ])
  return `\nIn archived transcripts:\n${table}`
}

/** In the largest unit that it fills. @param ms milliseconds */
function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${Math.max(0, minutes)} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

function countOr(tokens: Tokens | null): string {
  return tokens === null ? '?' : formatCount(tokens)
}

/** Keeps a chunk longer, also one that has expired and was not purged yet. */
async function extend(
  io: Io,
  { rest, days, session, json }: ColdStorageOptions,
  policies: PoliciesOfStores,
): Promise<ExitCode> {
  const id = rest.join(' ')
  if (id === '' || days === undefined || days < 1)
    throw new CliError(EXIT.usage, 'Say which, and for how long: plimsoll cold-storage extend ID --days N')
  const { chunk, place } = await chunkOrFail(io, policies, id, { session })
  const extension = await extendChunk(place, chunk, days)
  const { chunkId, sessionId } = chunk
  if (json) {
    const changed = extension.kind === 'extended'
    await writeJson(io, { id: chunkId, session: sessionId, until: timeJson(extension.until), changed })
  } else await write(io.stdout, `${extensionWords(toTerminal(chunkId), extension)}\n`)
  return EXIT.done
}

async function purge(
  io: Io,
  options: ColdStorageOptions,
  places: readonly ColdPlace[],
  finder: ColdFinder,
): Promise<ExitCode> {
  if (options.rest.length > 0)
    throw new CliError(EXIT.usage, 'purge takes no words: it removes what has expired, all of it.')
  const plan = await purgeCold(removerOf(places), finder, { apply: options.apply ?? false })
  const now = Date.now()
  if (options.json) {
    await writeJson(io, {
      ...rootsJson(places.map(({ store }) => store.root)),
      dryRun: plan.removed === null,
      expired: plan.remove.map((chunk) => chunkJson(chunk, now)),
      removed: plan.removed ?? 0,
      leftAlone: plan.removed === null ? 0 : plan.remove.length - plan.removed,
      keep: plan.keep,
      tokens: plan.tokens,
      problems: plan.problems,
    })
  } else {
    const way = plan.removed === null && plan.remove.length > 0 ? ' --apply does it.' : ''
    await write(io.stdout, `${purgeWords(plan)}${way}\n`)
  }
  const leftAlone = leftAloneWords(plan)
  if (leftAlone !== null) await note(io, leftAlone)
  await noteProblems(io, plan.problems)
  return EXIT.done
}

async function noteProblems(io: Io, problems: readonly ColdProblem[]): Promise<void> {
  const report = async (what: string, some: readonly ColdProblem[]) => {
    const [first] = some
    if (first === undefined) return
    await note(
      io,
      `${formatQuantity(some.length, what)} in cold storage cannot be used, e.g. ${first.file}:${first.line}: ${first.why}`,
    )
  }
  await report(
    'line',
    problems.filter(({ kind }) => kind !== 'archive' && kind !== 'odd'),
  )
  await report(
    'field',
    problems.filter(({ kind }) => kind === 'odd'),
  )
}
