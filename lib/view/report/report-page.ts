import { SEVERITIES } from '../../core/findings/finding'
import type { CauseGroup } from '../../core/findings/finding-groups'
import { highestOf } from '../../core/lists/long-lists'
import type { HabitKind } from '../../core/report/habits'
import type { ReportMoney } from '../../core/report/report-money'
import { medianOf, type ReportSums, type SummedHabit } from '../../core/report/report-sums'
import type { Figure } from '../../core/tokens/figure'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import type { Milliseconds } from '../../core/units/units'
import { formatCount, formatPercent, formatQuantity, formatUsd } from '../text/format'
import { shownText } from '../text/shown-text'

/** A table of plain texts. The first column names its row. */
export type ReportTable = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A part of the page: sentences, then a table; or items with the command that shows each. */
export type ReportSection = {
  readonly title: string
  readonly lines: readonly string[]
  readonly table?: ReportTable
  readonly items?: readonly { readonly text: string; readonly command: string | null }[]
}

/** The page as plain texts, credentials covered and hidden characters named; each form escapes them in its own way. */
export type ReportPage = {
  readonly title: string
  readonly lead: string
  readonly sections: readonly ReportSection[]
}

/** What the page is made of. */
export type ReportContent = {
  readonly from: Milliseconds | null
  readonly now: Milliseconds
  /** What was found, credentials covered, by cause, the worst first; and how many findings were left out as muted. */
  readonly causes: readonly (Omit<CauseGroup, 'findings'> & { readonly command: string | null })[]
  readonly muted: number
  readonly sums: ReportSums
  readonly runtimes: readonly { readonly name: string; readonly sums: ReportSums }[]
  /** What of the sums is of sub-agents in their own transcripts. */
  readonly agents: ReportSums
  readonly returns: {
    readonly examined: number
    readonly left: number
    readonly lost: number
    readonly cameBack: number
  }
  readonly habits: readonly (Pick<
    SummedHabit<unknown>,
    'kind' | 'sessions' | 'times' | 'tokens' | 'usd' | 'unpriced' | 'tools'
  > & { readonly command: string | null })[]
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
}

/** Problems that are named on the page. */
const MOST_PROBLEMS = 10

/** The report in words. */
export function reportPage(content: ReportContent): ReportPage {
  const { from, now, sums, problems } = content
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const period = from === null ? `up to ${day(now)}` : `${day(from)} to ${day(now)}`
  return {
    title: 'Plimsoll report',
    lead: `${period} (UTC): ${formatQuantity(sums.sessions, 'session')}, ${formatQuantity(sums.usage.calls, 'call')}`,
    sections: [
      findingSection(content),
      usageSection(content),
      moneySection(sums.money),
      fillSection(sums),
      compactionSection(content),
      habitSection(content),
      ...(problems.length === 0 ? [] : [problemSection(problems)]),
    ],
  }
}

/** Causes that the page names; the others are counted. */
const CAUSES_SHOWN = 5

function findingSection({ causes, muted }: ReportContent): ReportSection {
  const more = causes.length - CAUSES_SHOWN
  const counts = SEVERITIES.flatMap((level) => {
    const count = causes.filter(({ worst }) => worst.severity === level).length
    return count === 0 ? [] : [`${formatCount(count)} ${level}`]
  })
  return {
    title: 'What is wrong or dear',
    lines: [
      causes.length === 0
        ? 'Nothing was found.'
        : `${formatQuantity(causes.length, 'cause')}: ${counts.join(', ')}. Costs are of the sessions as they went; they overlap, do not add them up.`,
      ...(muted === 0 ? [] : [`Muted and left out: ${formatQuantity(muted, 'finding')}.`]),
      ...(more > 0
        ? [`The worst ${formatCount(CAUSES_SHOWN)} are below; "plimsoll findings" lists the others.`]
        : []),
    ],
    items: causes.slice(0, CAUSES_SHOWN).map((cause) => ({ text: causeText(cause), command: cause.command })),
  }
}

function causeText({ worst, sessions, cost }: ReportContent['causes'][number]): string {
  const same = sessions > 1 ? ` The same cause in ${formatCount(sessions)} sessions.` : ''
  const { usd, tokens } = cost
  const size = tokens.value === null ? '' : `, ${signOf(tokens)}${formatCount(tokens.value)} tokens`
  const price = usd.value === null ? 'price unknown' : `${signOf(usd)}${formatUsd(usd.value)}`
  const [remedy] = worst.remedies
  const todo = remedy === undefined ? '' : ` ${remedy.words}`
  return shownText(`${worst.severity.toUpperCase()} ${worst.sentence}${same} Cost: ${price}${size}.${todo}`)
}

function signOf({ basis }: Figure): string {
  return basis === 'estimated' ? '≈ ' : ''
}

function usageSection({ sums, runtimes, agents }: ReportContent): ReportSection {
  const row = (name: string, { sessions, usage, money }: ReportSums) => [
    shownText(name),
    ...[sessions, usage.calls, usage.input, usage.output, usage.cacheRead, usage.cacheWrite].map(formatCount),
    usdOrUnknown(money.recordedUsd),
    priced(money),
    formatCount(money.unpricedCalls),
  ]
  return {
    title: 'Tokens and money by runtime',
    lines: [],
    table: {
      columns: [
        'RUNTIME',
        'SESSIONS',
        'CALLS',
        'INPUT',
        'OUTPUT',
        'CACHE READ',
        'CACHE WRITE',
        'RECORDED',
        'BY PRICES',
        'NO PRICE',
      ],
      rows: [
        ...runtimes.map(({ name, sums: own }) => row(name, own)),
        ...(runtimes.length === 1 ? [] : [row('all', sums)]),
        ...(agents.sessions === 0 ? [] : [row('sub-agents among them', agents)]),
      ],
    },
  }
}

function moneySection(money: ReportMoney): ReportSection {
  const { recordedUsd, settingsUsd, settingsCalls, listUsd, listCalls, unpricedCalls } = money
  return {
    title: 'Money',
    lines: [
      recordedUsd === null
        ? 'Recorded by the runtimes: nothing.'
        : `Recorded by the runtimes: ${formatUsd(recordedUsd)}.`,
      ...(settingsUsd === null
        ? []
        : [
            `Not recorded, at the prices of your settings: ≈ ${formatUsd(settingsUsd)} for ${formatQuantity(settingsCalls, 'call')}.`,
          ]),
      ...(listUsd === null
        ? []
        : [
            `Not recorded, at list prices (${LIST_EDITION.name} ${LIST_EDITION.version} of ${LIST_EDITION.date}): ≈ ${formatUsd(listUsd)} for ${formatQuantity(listCalls, 'call')}. Plans and rebates are not in it; it was not billed so.`,
          ]),
      unpricedCalls === 0
        ? 'Every request has a price.'
        : `Unknown: what ${formatQuantity(unpricedCalls, 'request')} without a price cost, those of sub-agents inside a transcript and of compactions among them. They are in no sum.`,
    ],
  }
}

function fillSection({ sessions, fills }: ReportSums): ReportSection {
  const { shares, unknown, overLine, sessionsOverLine } = fills
  const median = medianOf(shares)
  return {
    title: 'How full windows were',
    lines: [
      median === null
        ? 'Unknown: of no call are both the prompt and the window known.'
        : `Over ${formatQuantity(shares.length, 'call')}: median ${formatPercent(median)}, largest ${formatPercent(highestOf(shares, 0))} of the window.`,
      ...(unknown === 0 || median === null
        ? []
        : [`Unknown for ${formatQuantity(unknown, 'more call')}: prompt or window is not known.`]),
      `At or above the line at which their runtime acts: ${formatQuantity(sessionsOverLine, 'session')} of ${formatCount(sessions)}, with ${formatQuantity(overLine, 'call')}.`,
    ],
  }
}

function compactionSection({ sums: { compactions: found }, returns }: ReportContent): ReportSection {
  const { compactions, resets, freed, freedUnknown, nextCalls, nextMoney } = found
  if (compactions + resets === 0) return { title: 'Compactions', lines: ['None.'] }
  const { examined, left, lost, cameBack } = returns
  return {
    title: 'Compactions',
    lines: [
      `${formatQuantity(compactions, 'compaction')}, ${formatQuantity(resets, 'reset')}.`,
      ...(compactions > freedUnknown
        ? [
            `Prompts were ${formatCount(freed)} tokens smaller behind them${freedUnknown === 0 ? '' : `; unknown for ${formatCount(freedUnknown)}`}.`,
          ]
        : []),
      ...(nextCalls === 0
        ? []
        : [`The first calls behind them cost ${moneyWords(nextMoney)}, their answers included.`]),
      'What the summaries themselves cost is recorded with none of them.',
      ...(examined === 0
        ? []
        : [
            `Of ${formatQuantity(lost, 'name')} that ${formatQuantity(examined, 'compaction')} lost, the agents named ${formatCount(cameBack)} again later${left === 0 ? '' : `; ${formatCount(left)} more were not examined`}.`,
          ]),
    ],
  }
}

/** The three dearest. */
export const HABITS_SHOWN = 3

function habitSection({ habits }: ReportContent): ReportSection {
  return {
    title: 'Dearest habits',
    lines:
      habits.length === 0
        ? ['None shows in what is recorded.']
        : [
            'Prompts at your or list prices, also where a cost was recorded. They overlap; do not add them up.',
          ],
    items: habits.slice(0, HABITS_SHOWN).map((habit) => ({ text: habitText(habit), command: habit.command })),
  }
}

const HABIT_WORDS: { readonly [K in HabitKind]: string } = {
  'tool-results': 'Tool results that every later call sends along',
  'fixed-overhead': 'System prompt, tool schemas, skills and workspace files in every call',
  'cold-cache': 'Sessions resumed after more than five minutes, when the cache had gone',
  'reclaimed-nothing': 'Compactions that left the prompt hardly smaller: the calls behind them',
}

function habitText(habit: ReportContent['habits'][number]): string {
  const { kind, times, sessions, tokens, usd, unpriced, tools } = habit
  const price =
    usd === null
      ? 'price unknown'
      : `≈ ${formatUsd(usd)}${unpriced === 0 ? '' : ` + ? (${formatQuantity(unpriced, 'call')} without a price)`}`
  const [top] = tools
  const sum = tools.reduce((all, [, size]) => all + size, 0)
  const most =
    top === undefined || sum === 0
      ? ''
      : `; the most from ${shownText(top[0])}, ≈ ${formatPercent(top[1] / sum)} of the results`
  return `${HABIT_WORDS[kind]}: ${price}, ≈ ${formatCount(tokens)} tokens in ${formatQuantity(times, 'call')} of ${formatQuantity(sessions, 'session')}${most}`
}

function problemSection(problems: ReportContent['problems']): ReportSection {
  const more = problems.length - MOST_PROBLEMS
  return {
    title: 'Left out',
    lines: [
      `${formatQuantity(problems.length, 'transcript')} could not be read and ${problems.length === 1 ? 'is' : 'are'} in no figure.`,
      ...problems
        .slice(0, MOST_PROBLEMS)
        .map(({ file, problem }) => shownText(problem.includes(file) ? problem : `${file}: ${problem}`)),
      ...(more > 0 ? [`${formatCount(more)} more`] : []),
    ],
  }
}

/** Each basis in words. */
function moneyWords({ recordedUsd, settingsUsd, listUsd, unpricedCalls }: ReportMoney): string {
  const parts = [
    ...(recordedUsd === null ? [] : [`${formatUsd(recordedUsd)} as recorded`]),
    ...(settingsUsd === null ? [] : [`≈ ${formatUsd(settingsUsd)} at your prices`]),
    ...(listUsd === null ? [] : [`≈ ${formatUsd(listUsd)} at list prices`]),
    ...(unpricedCalls === 0 ? [] : [`an unknown amount for ${formatQuantity(unpricedCalls, 'call')}`]),
  ]
  return parts.length === 0 ? formatUsd(0) : parts.join(' and ')
}

function usdOrUnknown(usd: number | null): string {
  return usd === null ? '?' : formatUsd(usd)
}

function priced({ settingsUsd, listUsd }: ReportMoney): string {
  const usd = settingsUsd === null ? listUsd : settingsUsd + (listUsd ?? 0)
  return usd === null ? '?' : `≈ ${formatUsd(usd)}`
}
