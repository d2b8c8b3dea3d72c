import type { Bytes } from '../../units/units'
import { counted, groupedDigits, spanInWords } from '../../words/amounts'
import { byAction, byAdvice } from '../remedies/offered'
import { NO_COST } from '../tally'
import type { FolderGrowth, StoreDetector, StoreFacts, StoreSign } from './store-facts'

const MB = 1024 * 1024
/** So many transcripts that are past their limits, or so much of them. */
const [LEAST_OVERDUE, LEAST_OVERDUE_BYTES] = [20, 20 * MB]
/** So many expired chunks, or so much of them, that stay unpurged. */
const [LEAST_EXPIRED, LEAST_EXPIRED_BYTES] = [50, 20 * MB]
/** So many notes of memory, or so much of them: a year of days. */
const [LEAST_NOTES, LEAST_NOTES_BYTES] = [366, 5 * MB]

export const onlyGrows: StoreDetector = {
  kind: 'only-grows',
  title: 'Transcripts, cold storage or memory only grow',
  about:
    'Transcripts that are past the limits of their runtime, or dropped chunks that have expired, are still on the disk, or notes of memory pile up. Listings and searches get slower and find what is out of date.',
  signs:
    '20 transcripts or more (or 20 MB) are past the limits of OpenClaw, whose session.maintenance.mode is warn; 50 chunks of cold storage or more (or 20 MB) are older than they are kept for and were not purged; or the workspace of OpenClaw has more than 365 notes of memory (or 5 MB).',
  find: (facts) => [
    ...(isLarge(facts.overdue, LEAST_OVERDUE, LEAST_OVERDUE_BYTES) ? overdueSign(facts, facts.overdue) : []),
    ...(isLarge(facts.expired, LEAST_EXPIRED, LEAST_EXPIRED_BYTES) ? expiredSign(facts, facts.expired) : []),
    ...(isLarge(facts.notes, LEAST_NOTES, LEAST_NOTES_BYTES) ? notesSign(facts, facts.notes) : []),
  ],
}

function isLarge(growth: FolderGrowth | null, files: number, bytes: Bytes): growth is FolderGrowth {
  return growth !== null && (growth.files >= files || growth.bytes >= bytes)
}

function overdueSign(facts: StoreFacts, { folder, files, bytes, oldest }: FolderGrowth): StoreSign[] {
  const age = spanInWords(Math.max(0, facts.now - oldest))
  return signOf(facts, 'overdue', {
    times: files,
    sentence: `${counted(files, 'transcript')} (${megabytes(bytes)}) ${files === 1 ? 'is' : 'are'} past the limits of OpenClaw, which only warns of it (session.maintenance.mode is warn), the oldest since ${age}: ${folder}.`,
    remedies: [
      byAction(
        'maintain',
        'Run the maintenance of the store: its preview says what goes, and an undo brings it back.',
      ),
      byAdvice('Set session.maintenance.mode to enforce in openclaw.json, and OpenClaw does it itself.'),
    ],
  })
}

function expiredSign(facts: StoreFacts, { folder, files, bytes, oldest, isCut }: FolderGrowth): StoreSign[] {
  const age = spanInWords(Math.max(0, facts.now - oldest))
  return signOf(facts, 'cold', {
    times: files,
    sentence: `${atLeast(isCut)}${counted(files, 'expired chunk')} of cold storage (${megabytes(bytes)}) were not purged, ${isCut ? 'one of them' : 'the oldest'} since ${age}: ${folder}.`,
    remedies: [
      {
        by: 'command',
        argv: ['plimsoll', 'cold-storage', 'purge'],
        words: 'See what has expired; with --apply it is removed.',
      },
    ],
  })
}

function notesSign(facts: StoreFacts, { folder, files, bytes, isCut }: FolderGrowth): StoreSign[] {
  return signOf(facts, 'memory', {
    times: files,
    sentence: `${atLeast(isCut)}${counted(files, 'note')} of memory (${megabytes(bytes)}) are in ${folder}, and none is ever taken away by the runtime.`,
    remedies: [byAdvice('Put old notes together, or move those that are out of date out of the folder.')],
  })
}

/** No more files than so many are counted. */
function atLeast(isCut: boolean): string {
  return isCut ? 'At least ' : ''
}

function signOf(
  { storeId, now, sessions }: StoreFacts,
  subject: string,
  { times, ...words }: Pick<StoreSign, 'sentence' | 'remedies'> & { readonly times: number },
): StoreSign[] {
  const [session] = sessions
  if (session === undefined) return []
  return [
    {
      ...{ session, subject, cause: `${storeId} ${subject}`, severity: 'low', confidence: 'possible' },
      evidence: { times, calls: [], lines: [], before: null, after: null },
      ...{ cost: NO_COST, firstSeen: now, lastSeen: now, ...words },
    },
  ]
}

function megabytes(bytes: Bytes): string {
  return `${groupedDigits(Math.max(1, Math.round(bytes / MB)))} MB`
}
