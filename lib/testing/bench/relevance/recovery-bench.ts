import { CORPUS } from '../../corpus'
import { type BenchContext, type Measurement, median } from '../report'
import { Asking, CANDIDATES, type RecoveryAnswer } from './recovery-answers'
import {
  carriedQuestionSet,
  partOf,
  type RelevanceIdle,
  type RelevanceQuestionSet,
  relevanceQuestionSet,
} from './relevance-question-set'
import {
  holdsAnswer,
  type RelevanceQuestion,
  type RelevanceSession,
  relevanceSessions,
} from './relevance-sessions'

const [MANY, RUNS] = [5_000, 25]

/** Whether people get back what they ask for, by questions (`questions/README.md`), and how long it takes. */
export async function recoveryMeasurements(log: BenchContext['log']): Promise<Measurement[]> {
  const carried = carriedQuestionSet()
  const few = await new Asking(carried.sessions).answers(carried.questions)
  const small = missed('of a few texts that the project carries', few, 20)
  if (CORPUS === null) {
    log('the corpus is not there: recovery is measured on a few texts only')
    return [small, ...(await timing(carried.sessions))]
  }
  const set = relevanceQuestionSet(relevanceSessions(CORPUS))
  const { questions, idle, sessions } = set
  log(
    `${questions.length} questions over ${count(set)} chunks, ${idle.length} prompts that need none of them`,
  )
  return [...(await corpusMeasurements(set)), small, ...(await timing(sessions))]
}

async function corpusMeasurements({
  sessions,
  questions,
  idle,
}: RelevanceQuestionSet): Promise<Measurement[]> {
  const asking = new Asking(sessions)
  const answers = await asking.answers(questions)
  const woken = await asking.woken(idle)
  const bare = await withoutAnswers(sessions, questions)
  const back = sum(answers.map((one) => one.back))
  return [
    missed('of the session', answers, 10),
    {
      what: 'answer did not come back by itself',
      value: share(answers, ({ came }) => !came),
      unit: '%',
      limit: null,
      note: parts(answers, ({ came }) => !came),
    },
    {
      what: 'something came back though nothing was needed',
      value: share(woken, ({ came }) => came),
      unit: '%',
      limit: 5,
      note: idleParts(woken),
    },
    {
      what: 'something came back though the answer had been taken out',
      value: bare,
      unit: '%',
      limit: null,
      note: 'the rest of the session is about the same things',
    },
    {
      what: 'chunks that came back without the answer',
      value: (100 * (back - sum(answers.map((one) => one.right)))) / Math.max(1, back),
      unit: '%',
      limit: null,
      note: `${(back / answers.length).toFixed(1)} for each question`,
    },
    {
      what: `answer not among the first ${CANDIDATES} of all sessions`,
      value: share(answers, ({ everywhere }) => everywhere < 0),
      unit: '%',
      limit: null,
      note: parts(answers, ({ everywhere }) => everywhere < 0),
    },
  ]
}

/** Share of questions for which something came back when the chunks with the answer were not there. */
async function withoutAnswers(
  sessions: readonly RelevanceSession[],
  questions: readonly RelevanceQuestion[],
): Promise<number> {
  let came = 0
  for (const { session, ask, answer } of questions) {
    const rest = sessions
      .filter(({ name }) => name === session)
      .map((one) => ({ ...one, chunks: one.chunks.filter((chunk) => !holdsAnswer(chunk, answer)) }))
    const [woken] = await new Asking(rest).woken([{ kind: 'elsewhere', session, ask }])
    if (woken?.came) came += 1
  }
  return (100 * came) / questions.length
}

async function timing(sessions: readonly RelevanceSession[]): Promise<Measurement[]> {
  const texts = sessions.flatMap(({ chunks }) => chunks.map(({ text }) => text))
  const chunks = Array.from({ length: MANY }, (_, i) => ({
    entry: `${i}`,
    text: `${texts[i % texts.length]} no${i}`,
    tokens: 0,
  }))
  const size = sum(chunks.map(({ text }) => text.length))
  const asking = new Asking([{ owner: 'all', name: 'all', chunks }])
  const first = await cpuOf(() => asking.search('How much torque has the crane at pier seven?'))
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const [word = ''] = /[a-z]{5,}/.exec(texts[(run * 37) % texts.length] ?? '') ?? []
    times.push(await cpuOf(() => asking.search(`Do you remember what the ${word} of theme test ${run} was?`)))
  }
  const note = `${(size / 1e6).toFixed(1)} million characters`
  return [
    {
      what: `a question to ${MANY.toLocaleString('en')} chunks, CPU`,
      value: median(times),
      unit: 'ms',
      limit: 60,
      note,
    },
    { what: 'the first one, which makes them ready, CPU', value: first, unit: 'ms', limit: null, note },
  ]
}

function missed(of: string, answers: readonly RecoveryAnswer[], limit: number): Measurement {
  const isMissed = ({ place }: RecoveryAnswer) => place < 0
  return {
    what: `answer not among the first ${CANDIDATES} ${of}`,
    value: share(answers, isMissed),
    unit: '%',
    limit,
    note: parts(answers, isMissed),
  }
}

/** The same share of parts of the questions. */
function parts(answers: readonly RecoveryAnswer[], is: (answer: RecoveryAnswer) => boolean): string {
  const named = (name: string, fits: (question: RelevanceQuestion) => boolean) => {
    const some = answers.filter(({ question }) => fits(question))
    return some.length === 0 ? [] : [`${name} ${share(some, is).toFixed(1)} of ${some.length}`]
  }
  return [
    ...named('tuning', (question) => partOf(question) === 'tuning'),
    ...named('held out', (question) => partOf(question) === 'held'),
    ...named('by rule', ({ kind }) => kind === 'rule'),
    ...named('by hand', ({ kind }) => kind === 'hand'),
  ].join(', ')
}

function idleParts(woken: readonly { readonly idle: RelevanceIdle; readonly came: boolean }[]): string {
  const named = (name: string, fits: (idle: RelevanceIdle) => boolean) => {
    const some = woken.filter(({ idle }) => fits(idle))
    return `${name} ${share(some, ({ came }) => came).toFixed(1)} of ${some.length}`
  }
  return [
    named('tuning', (idle) => partOf(idle) === 'tuning'),
    named('held out', (idle) => partOf(idle) === 'held'),
    named('of another session', ({ kind }) => kind === 'elsewhere'),
    named('needs nothing', ({ kind }) => kind === 'nothing'),
  ].join(', ')
}

function count({ sessions }: RelevanceQuestionSet): number {
  return sum(sessions.map(({ chunks }) => chunks.length))
}

function share<T>(all: readonly T[], is: (one: T) => boolean): number {
  return (100 * all.filter(is).length) / Math.max(1, all.length)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
