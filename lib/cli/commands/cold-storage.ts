import { isExpired, recoverableUntil } from '../../core/cold/retention'
import { maskSecrets } from '../../core/redaction/secrets'
import type { ColdChunk, ColdProblem } from '../../engine/cold-store'
import { purgeCold } from '../../engine/purge-cold'
import { type ArchiveSearch, isArchive, searchArchives } from '../../engine/search-archives'
import type { ColdFilter, ColdFinder, ColdSearch, FoundChunk } from '../../engine/search-cold'
import { formatCount, formatQuantity } from '../../view/format'
import { makeSnippet, searchTerms, snippetStart } from '../../view/snippet'
import { absoluteTimeUtc } from '../../view/time'
import { chooseChunk } from '../choose-chunk'
import {
  type ColdPlace,
  coldPlaces,
  placeOfChunk,
  policiesInForce,
  rootsOf,
  withColdPlaces,
} from '../cold-places'
import { timeJson } from '../figure-json'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'

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
  const places = coldPlaces(io, await policiesInForce(io, options))
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
    case 'extend': {
      const id = options.rest.join(' ')
      const named = await withColdPlaces(setup, places, (finder) => finder.named(id))
      return extend(io, options, places, named)
    }
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
  readonly now: number
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

function chunkJson(chunk: ColdChunk, now: number) {
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

/** What was put away by the runtimes; null when nobody asked for it. */
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

function countOr(tokens: number | null): string {
  return tokens === null ? '?' : formatCount(tokens)
}

/** Keeps a chunk longer, also one that has expired and was not purged yet. */
async function extend(
  io: Io,
  { rest, days, session, json }: ColdStorageOptions,
  places: readonly ColdPlace[],
  named: readonly ColdChunk[],
): Promise<ExitCode> {
  const id = rest.join(' ')
  if (id === '' || days === undefined || days < 1)
    throw new CliError(EXIT.usage, 'Say which, and for how long: plimsoll cold-storage extend ID --days N')
  const own = named.filter(({ sessionId }) => session === undefined || sessionId === session)
  const chunk = chooseChunk(own, { id, session, root: rootsOf(places) })
  const { store, now } = placeOfChunk(places, chunk)
  const until = recoverableUntil(now(), days)
  const isLonger = chunk.until === null || until > chunk.until
  const changed = isLonger && (await store.extend([chunk], until)) > 0
  const kept = changed ? until : chunk.until
  if (json)
    await writeJson(io, { id: chunk.chunkId, session: chunk.sessionId, until: timeJson(kept), changed })
  else {
    const why = changed ? '' : ' Nothing changed: that is at least as long already.'
    const end = kept === null ? 'until nobody knows when' : `until ${absoluteTimeUtc(kept)}`
    await write(io.stdout, `${toTerminal(chunk.chunkId)} is kept ${end}.${why}\n`)
  }
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
  const remove = async (chunks: readonly ColdChunk[]) => {
    let removed = 0
    for (const place of places) {
      const own = chunks.filter((chunk) => placeOfChunk(places, chunk) === place)
      if (own.length > 0) removed += await place.store.remove(own)
    }
    return removed
  }
  const plan = await purgeCold({ remove }, finder, { apply: options.apply ?? false })
  const now = Date.now()
  if (options.json) {
    await writeJson(io, {
      ...rootsJson(places.map(({ store }) => store.root)),
      dryRun: plan.removed === null,
      expired: plan.remove.map((chunk) => chunkJson(chunk, now)),
      removed: plan.removed ?? 0,
      keep: plan.keep,
      tokens: plan.tokens,
      problems: plan.problems,
    })
  } else {
    const what = formatQuantity(plan.remove.length, 'expired chunk')
    const stays = formatQuantity(plan.keep, 'chunk')
    const text =
      plan.removed === null
        ? `${what} would be removed for good, ${stays} would stay.${plan.remove.length > 0 ? ' --apply does it.' : ''}\n`
        : `${formatQuantity(plan.removed, 'expired chunk')} removed for good, ${stays} left.\n`
    await write(io.stdout, text)
  }
  await noteProblems(io, plan.problems)
  return EXIT.done
}

async function noteProblems(io: Io, problems: readonly ColdProblem[]): Promise<void> {
  const told = async (what: string, some: readonly ColdProblem[]) => {
    const [first] = some
    if (first === undefined) return
    await note(
      io,
      `${formatQuantity(some.length, what)} in cold storage cannot be used, e.g. ${first.file}:${first.line}: ${first.why}`,
    )
  }
  await told(
    'line',
    problems.filter(({ kind }) => kind !== 'archive' && kind !== 'odd'),
  )
  await told(
    'field',
    problems.filter(({ kind }) => kind === 'odd'),
  )
}
