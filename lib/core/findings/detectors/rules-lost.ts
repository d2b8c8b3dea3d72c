import type { EntryFact } from '../../transcript/entry'
import type { FoldBoundary } from '../../transcript/fold/fold-step'
import {
  type FetchMark,
  fingerprintOf,
  type RuleMark,
  type SummaryMark,
} from '../../transcript/marks/text-marks'
import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, byAdvice, byPin } from '../remedies/offered'
import { evidenceOf, NO_COST, newTally, noteTime, type SignTally } from '../tally'

/** Rules that are followed at the same time, and calls whose result is waited for; the oldest go. */
const [MOST_RULES, MOST_OPEN] = [32, 16]
/** A summary that holds at least this share of the telling words of a rule says it, in its own words or in others. */
const KEPT_WORDS = 0.8
/** Lost ones that are quoted. */
const MOST_QUOTED = 3
/** So many lost rules are of the worst kind. */
const MANY = 5
/** Folders above the one that is worked in, in which runtimes look for rules themselves. */
const MOST_FOLDERS = 24

/** A rule of the user (`words`), or a file of rules that was read (`file`: hash of its name). */
type Rule = {
  readonly words: readonly number[]
  readonly begin: string
  readonly file: number | null
  readonly line: number
  readonly seq: number
}

type State = {
  rules: Rule[]
  /** Reading calls of rule files without a result so far. */
  opened: { callId: string; name: number; folder: number }[]
  /** The folder that is worked in: rules in it and above it are sent by the runtime itself. */
  cwd: string | null
  /** After a compaction until the next call: what seems lost, and whether the summary was read. */
  waiting: { lost: Rule[]; isRead: boolean; isBare: boolean; line: number; at: number | null } | null
  tally: SignTally
  rulesLost: number
  filesLost: number
  quoted: string[]
}

const RULES_LOST: Detector<State> = {
  kind: 'rules-lost',
  title: 'Rules were lost in a compaction',
  about:
    'What you said always or never to do was in the context before a compaction, and neither the summary nor what was kept says it. The agent does not know it any more.',
  signs:
    'A sentence of yours with never, always or must, or a file of rules in a folder below the one that is worked in, was in the prompt before a compaction; the part that was kept does not hold it, the summary has less than 80 % of its telling words (or does not name the file), and it was not said or read again before the next call. Workspace files that the runtime sends with each call, resets and summaries that cannot be read are left out.',
  start: () => ({
    ...{ rules: [], opened: [], cwd: null, waiting: null, tally: newTally() },
    ...{ rulesLost: 0, filesLost: 0, quoted: [] },
  }),
  sees: ['folder', 'marks', 'result'],
  entry: (state, entry, marks) => {
    const cwd = entry.header?.cwd ?? entry.cwd
    if (cwd !== undefined) state.cwd = cwd
    if (entry.type === 'compaction') return
    const { resultFor } = entry
    if (marks?.summary !== undefined) takeSummary(state, marks.summary, entry.seq)
    for (const mark of marks?.rules ?? []) setRule(state, ofUser(mark, entry))
    for (const mark of marks?.fetches ?? []) openFile(state, mark)
    if (resultFor !== undefined) takeFile(state, resultFor, entry)
  },
  boundary: (state, boundary, entry, marks) => {
    state.opened = []
    if (boundary.kind !== 'compaction') {
      // A reset is meant, and what a provider keeps cannot be read.
      state.rules = []
      state.waiting = null
      return
    }
    leave(state, boundary, entry, marks?.summary)
  },
  callChanges: ['tally', 'quoted'],
  call: (state, { frame }) => {
    const { waiting } = state
    if (waiting === null) return
    state.waiting = null
    if (waiting.isBare && !waiting.isRead) return
    for (const { file, line, begin } of waiting.lost) {
      noteTime(state.tally, { call: frame.call, line, at: waiting.at })
      if (file !== null) state.filesLost += 1
      else {
        state.rulesLost += 1
        if (state.quoted.length < MOST_QUOTED) state.quoted.push(begin)
      }
    }
  },
  find: ({ tally, rulesLost, filesLost, quoted }, { runtime }) => {
    if (tally.times === 0) return []
    const what = [
      ...(rulesLost === 0 ? [] : [`${counted(rulesLost, 'rule')} of yours`]),
      ...(filesLost === 0 ? [] : [counted(filesLost, 'file of rules', 'files of rules')]),
    ].join(' and ')
    const quotes = quoted.map((begin) => `“${begin}”`).join(', ')
    const more = rulesLost - quoted.length
    return [
      {
        subject: '',
        cause: runtime,
        severity: tally.times >= MANY ? 'high' : 'medium',
        confidence: 'likely',
        evidence: evidenceOf(tally),
        cost: NO_COST,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${what} ${tally.times === 1 ? 'was' : 'were'} in the context before a compaction and nowhere after it.${quotes === '' ? '' : ` Among them: ${quotes}${more > 0 ? `, and ${groupedDigits(more)} more` : ''}.`}`,
        remedies: [
          ...(rulesLost === 0
            ? [
                byAdvice(
                  'Put lasting rules into the workspace file that the runtime sends with every call (AGENTS.md, CLAUDE.md).',
                ),
              ]
            : [
                byPin(
                  'Pin a rule: one line of yours in the file of instructions that the runtime sends with every call (AGENTS.md, CLAUDE.md).',
                ),
                byAdvice(
                  'An agent that embeds the library keeps a message word for word that begins with “#important:”.',
                ),
              ]),
          byAction('recover', 'What was summarised is still in the transcript: bring back what is needed.'),
        ],
      },
    ]
  },
}

export const rulesLost = detector(RULES_LOST)

function ofUser({ words, begin }: RuleMark, { line, seq }: EntryFact): Rule {
  return { words, begin, file: null, line, seq }
}

/** A rule that is in the context from here on; one that is said again is not lost. */
function setRule(state: State, rule: Rule): void {
  if (state.rules.length === 0 && state.waiting === null) {
    state.rules = [rule]
    return
  }
  const said = new Set(rule.words)
  const isSame = (other: Rule) =>
    rule.file === null ? other.file === null && isSaid(other, said) : other.file === rule.file
  if (state.waiting !== null) state.waiting.lost = state.waiting.lost.filter((other) => !isSame(other))
  state.rules = [...state.rules.filter((other) => !isSame(other)), rule].slice(-MOST_RULES)
}

function openFile(state: State, { rulesIn, does, callId, name }: FetchMark): void {
  if (rulesIn === undefined || does !== 'read' || isHosts(state.cwd, rulesIn)) return
  state.opened = [...state.opened, { callId, name, folder: rulesIn }].slice(-MOST_OPEN)
}

function takeFile(state: State, resultFor: string, { line, seq, isError }: EntryFact): void {
  const opened = state.opened.find(({ callId }) => callId === resultFor)
  if (opened === undefined) return
  state.opened = state.opened.filter((one) => one !== opened)
  // The name and its folder tell one such file from another.
  if (!isError)
    setRule(state, { words: [opened.name], begin: '', file: (opened.name ^ opened.folder) >>> 0, line, seq })
}

function leave(
  state: State,
  { kept }: FoldBoundary,
  entry: EntryFact,
  summary: SummaryMark | undefined,
): void {
  const stays = ({ seq }: Rule) => kept !== null && seq >= kept.from && seq <= kept.to
  const gone = state.rules.filter((rule) => !stays(rule))
  state.rules = state.rules.filter(stays)
  const before = state.waiting?.lost ?? []
  const { line, at, bare } = entry
  state.waiting = { lost: [...before, ...gone], isRead: false, isBare: bare === true, line, at }
  // A bare boundary without a text has its summary in an entry behind it, or keeps it encrypted.
  if (summary !== undefined && (bare !== true || summary.words.length > 0))
    takeSummary(state, summary, entry.seq)
}

/** What the summary says stays in the context with it, and can be lost by the next one. */
function takeSummary(state: State, summary: SummaryMark, seq: number): void {
  const { waiting } = state
  if (waiting === null) return
  waiting.isRead = true
  // Most sessions set no rules, and a summary may have thousands of words.
  if (waiting.lost.length === 0) return
  const said = new Set(summary.words)
  const kept = waiting.lost.filter((rule) => isSaid(rule, said))
  waiting.lost = waiting.lost.filter((rule) => !kept.includes(rule))
  state.rules = [...kept.map((rule) => ({ ...rule, seq })), ...state.rules].slice(-MOST_RULES)
}

function isSaid({ words }: Pick<Rule, 'words'>, said: ReadonlySet<number>): boolean {
  return words.filter((word) => said.has(word)).length >= words.length * KEPT_WORDS
}

/** Whether a folder is the one that is worked in, or one above it. */
function isHosts(cwd: string | null, rulesIn: number): boolean {
  let folder = cwd?.replace(/[\\/]+$/, '') ?? ''
  for (let i = 0; folder !== '' && i < MOST_FOLDERS; i++) {
    if (fingerprintOf(folder) === rulesIn) return true
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\'), 0))
  }
  return false
}
