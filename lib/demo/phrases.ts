import { type Random, seededRandom } from './random'

/** What the people of the demo ask their agents. All invented. */
export const REQUESTS = [
  'The tide table for next week shows two highs at almost the same hour. Can you check the source data?',
  'Rebuild the berth plan with the three coasters that announced themselves this morning.',
  'Why did the fog alarm go off at four? Look through the log and tell me what you find.',
  'Please draft a note to the pilots about the dredging in the north channel.',
  'The invoice for crane 2 is off by one shift. Find out which one.',
  'Write a test for the under-keel clearance, including negative squat.',
  'Summarise what changed in the mooring rules since spring.',
  'Compare the fuel use of both tugs over the last ten days.',
  'The chart viewer is slow on the old tablet. Profile it and suggest the cheapest fix.',
  'Which of the buoys have not reported for more than six hours?',
  'Move the schedule import from the nightly job into the hourly one.',
  'Is there anything in the harbour log that we promised and did not do?',
  'Translate the safety card for the crew of the Merel into plain English.',
  'Split the weather module: reading, smoothing and the warning levels should stand apart.',
  'Put the gauge readings of the lock into one table and mark the gaps.',
  'Go on with the next item on the list.',
  'That is not what I meant. Only the eastern basin, please.',
  'Good. Now the same for the winter plan.',
] as const

const SUBJECTS = [
  'The gauge at the lock',
  'Berth seven',
  'The night shift',
  'The pilot boat',
  'The tide model',
  'Crane two',
]
const SUBJECTS_MORE = [
  'The import job',
  'The eastern basin',
  'The fairway buoy',
  'The loading list',
  'The weather station',
]
const VERBS = [
  'reports',
  'still misses',
  'agrees with',
  'was moved to',
  'differs from',
  'now follows',
  'waits for',
  'repeats',
]
const OBJECTS = [
  'the readings of last Tuesday',
  'a draught of 4.2 metres',
  'the published table',
  'two unconfirmed slots',
]
const OBJECTS_MORE = [
  'the older schedule',
  'the value in the log',
  'a clearance of 80 centimetres',
  'the list from the office',
]
const ENDINGS = [
  '.',
  ', as far as the log goes.',
  ', within five minutes.',
  '; nothing else changed.',
  ', which is odd.',
]
const ALL_SUBJECTS = [...SUBJECTS, ...SUBJECTS_MORE]
const ALL_OBJECTS = [...OBJECTS, ...OBJECTS_MORE]

const SYLLABLES = [
  'mer',
  'el',
  'vik',
  'hol',
  'ost',
  'kar',
  'ung',
  'lin',
  'sund',
  'ka',
  'ro',
  'den',
  'as',
  'tor',
  'ny',
  'bek',
]

/** A name that is on no chart. */
function placeName(random: Random): string {
  const word = Array.from({ length: random.int(2, 4) }, () => random.pick(SYLLABLES)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function sentence(random: Random): string {
  const place = random.chance(0.4) ? ` at ${placeName(random)}` : ''
  return `${random.pick(ALL_SUBJECTS)}${place} ${random.pick(VERBS)} ${random.pick(ALL_OBJECTS)}${random.pick(ENDINGS)}`
}

function logLine(random: Random): string {
  const time = `${String(random.int(0, 23)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`
  const gauge = random.pick(['north', 'lock', 'basin'])
  return `${time} gauge=${gauge} level=${random.int(-80, 420)}cm wind=${random.int(0, 38)}kn id=${random.hex(6)}`
}

function codeBlock(random: Random): string {
  const name = `${random.pick(['read', 'smooth', 'merge', 'check', 'draw'])}${placeName(random)}${random.int(1, 99)}`
  return `export function ${name}(levels: number[]): number {\n  const limit = ${random.int(10, 900)}\n  return levels.filter((level) => level < limit).reduce((sum, level) => sum + level, 0)\n}`
}

/**
 * Makes texts out of blocks that are made once: big stores for measuring need hundreds of megabytes, and inventing each
 * sentence anew would take minutes.
 */
function textMaker(seed: number, unit: (random: Random) => string, glue: string, blockUnits: number) {
  let blocks: string[] | null = null
  return (random: Random, length: number): string => {
    if (length < 300) return textOf(() => unit(random), glue, length)
    if (blocks === null) {
      const own = seededRandom(seed)
      blocks = Array.from({ length: 1_000 }, () =>
        Array.from({ length: blockUnits }, () => unit(own)).join(glue),
      )
    }
    const pool = blocks
    return textOf(() => random.pick(pool), glue === ' ' ? '\n\n' : glue, length)
  }
}

function textOf(next: () => string, glue: string, length: number): string {
  let text = next()
  while (text.length < length) text += glue + next()
  return text
}

/** Running text of about `length` characters. */
export const prose = textMaker(1, sentence, ' ', 5)

/** Lines as a tool would print them, about `length` characters. */
const logLines = textMaker(2, logLine, '\n', 8)

/** Source code in the style of a small harbour program, about `length` characters. */
const code = textMaker(3, codeBlock, '\n\n', 2)

/** A tool of the demo's agents: its name, arguments for one call, and a maker of its output. */
export type DemoTool = {
  readonly name: string
  arguments(random: Random): Record<string, string | number>
  output(random: Random, length: number): string
}

const PATHS = [
  'src/tides.ts',
  'src/berths.ts',
  'log/harbour.log',
  'data/gauges.csv',
  'docs/mooring.md',
  'src/view/chart.ts',
]

export const TOOLS: readonly DemoTool[] = [
  { name: 'read', arguments: (random) => ({ path: random.pick(PATHS) }), output: code },
  {
    name: 'exec',
    arguments: (random) => ({ command: `tail -n ${random.int(20, 400)} ${random.pick(PATHS)}` }),
    output: logLines,
  },
  {
    name: 'search',
    arguments: (random) => ({ query: random.pick(['clearance', 'squat', 'fog', 'berth 7', 'gauge gap']) }),
    output: prose,
  },
  {
    name: 'edit',
    arguments: (random) => ({
      path: random.pick(PATHS),
      oldText: code(random, 60),
      newText: code(random, 90),
    }),
    output: (random) => `Changed ${random.int(1, 9)} lines.`,
  },
]
