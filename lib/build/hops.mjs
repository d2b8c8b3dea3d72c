// @ts-check
// Entry of `npm run hops`: through how many files one goes to follow a line of a transcript to the pixel, and a
// compaction from the button to the bytes in the file. Printed file by file; ends with 1 when a way has become longer
// than it may be.
import { CallGraph } from './call-graph.mjs'
import { checkImports } from './imports.mjs'
import { root, say } from './project.mjs'

/** @typedef {import('./call-graph.mjs').Place} Place */
/**
 * The calls of a leg lead from each stop ("file function") to the next, by the shortest way there is. Calls lead down
 * and what they found comes back up, so that a way has several legs.
 * @typedef {{ readonly what: string, readonly stops: readonly string[] }} Leg
 * @typedef {{ readonly title: string, readonly legs: readonly Leg[] }} Way
 */

/** No way may lead through more files than this. */
const MOST_FILES = 30

const IMPORT = 'lib/engine/ingest/import-session.ts'
const COMPACTION = 'lib/engine/compaction/compact-session.ts'
const PAGE = 'lib/server/session/session-page.ts'
const CONNECTION = 'lib/db/sqlite/sqlite-connection.ts SqliteConnection.run'

/** @type {readonly Way[]} */
const WAYS = [
  {
    title: 'From a line of a transcript to the pixel',
    legs: [
      {
        what: 'the line is seen and read',
        stops: [
          'lib/compose/open.ts watchWith',
          'lib/engine/ingest/ingest.ts ingest',
          `${IMPORT} SessionImport.read`,
          'lib/adapters/stores/jsonl-files.ts readTranscriptFile',
          'lib/adapters/jsonl/read-jsonl.ts readJsonl',
          'lib/core/transcript/reading/read-line.ts readLine',
          'lib/core/transcript/reading/read-content.ts readContent',
        ],
      },
      {
        what: 'as bytes of the file',
        stops: [
          'lib/adapters/jsonl/read-jsonl.ts readJsonl',
          'lib/adapters/jsonl/jsonl-lines.ts LineReader.next',
        ],
      },
      {
        what: 'it is folded into the frame of a call',
        stops: [
          `${IMPORT} SessionImport.take`,
          'lib/core/transcript/fold/fold.ts SessionFold.push',
          'lib/core/tokens/build-frame.ts buildFrame',
        ],
      },
      {
        what: 'its rows are written',
        stops: [
          'lib/engine/ingest/import-jobs.ts importJobs',
          'lib/db/commands/pack-part.ts packPart',
          'lib/db/call-blocks.ts packCalls',
        ],
      },
      {
        what: 'in one transaction',
        stops: [
          'lib/engine/ingest/import-jobs.ts importJobs',
          'lib/db/commands/write-part.ts writePart',
          CONNECTION,
        ],
      },
      {
        what: 'a page asks for them',
        stops: [
          'app/sessions/[id]/page.tsx ContextPage',
          `${PAGE} getContextTab`,
          'lib/server/session/session-calls.ts getCalls',
          'lib/db/call-blocks.ts readCallBlocks',
          CONNECTION,
        ],
      },
      {
        what: 'they are prepared',
        stops: [`${PAGE} getContextTab`, 'lib/view/charts/frames-series.ts reduceFrames'],
      },
      {
        what: 'and drawn',
        stops: [
          'app/sessions/[id]/page.tsx ContextPage',
          'components/session/window-card.tsx WindowCard',
          'lib/view/charts/frames-chart.ts framesChart',
        ],
      },
      {
        what: 'as shapes',
        stops: [
          'components/session/window-card.tsx WindowCard',
          'components/charts/frames-drawing.tsx FramesDrawing',
        ],
      },
    ],
  },
  {
    title: 'From the button "Compact" to the bytes in the file',
    legs: [
      {
        what: 'the button begins a job',
        stops: [
          'components/compaction/run-bar.tsx ConfirmRun',
          'app/sessions/[id]/compact/actions.ts startCompactionAction',
          'lib/engine/jobs/jobs.ts JobRunner.start',
          'lib/server/compaction/compact-job.ts compactJob.run',
          `${COMPACTION} compactSession`,
        ],
      },
      {
        what: 'the transcript is read',
        stops: [
          `${COMPACTION} Compaction.prepare`,
          'lib/engine/compaction/load-session.ts loadSource',
          'lib/adapters/stores/jsonl-files.ts readTranscriptFile',
          'lib/adapters/jsonl/read-jsonl.ts readJsonl',
        ],
      },
      {
        what: 'the plan is made',
        stops: [
          `${COMPACTION} Compaction.prepare`,
          'lib/core/compaction/make-plan.ts makePlan',
          'lib/core/compaction/cut-point.ts findCutPoint',
        ],
      },
      {
        what: 'the summary is written',
        stops: [`${COMPACTION} Compaction.run`, 'lib/engine/summary/write-summary.ts writeSummary'],
      },
      {
        what: 'the record is made',
        stops: [
          `${COMPACTION} Compaction.write`,
          'lib/engine/compaction/compaction-operations.ts compactionOperations',
          'lib/core/compaction/record.ts recordLine',
        ],
      },
      {
        what: 'the new content is written beside the file',
        stops: [
          `${COMPACTION} Compaction.write`,
          'lib/engine/write/apply-change.ts applyChange',
          'lib/engine/write/prepare-steps.ts writeTemporary',
          'lib/adapters/write/node-write-files.ts nodeWriteFiles.create',
        ],
      },
      {
        what: 'and takes its place',
        stops: [
          'lib/engine/write/apply-change.ts applyChange',
          'lib/engine/write/commit-steps.ts commitSteps',
          'lib/adapters/write/rename-with-retry.ts replaceByRename',
        ],
      },
    ],
  },
]

/**
 * The way with the fewest files from one place to another; null when no call leads there.
 * @param {CallGraph} graph @param {Place} from @param {Place} to
 * @returns {readonly Place[] | null}
 */
function shortestWay(graph, from, to) {
  /** @type {Map<string, { readonly place: Place, readonly before: string | null, readonly files: number }>} */
  const seen = new Map([[from.key, { place: from, before: null, files: 0 }]])
  /** @type {Set<string>} */
  const done = new Set()
  let ring = [from]
  for (let files = 0; ring.length > 0; files++) {
    /** @type {Place[]} */
    const next = []
    // Grows while it is walked: calls within a file cost nothing.
    for (const place of ring) {
      if (done.has(place.key)) continue
      done.add(place.key)
      if (place.key === to.key) return wayTo(seen, to)
      for (const called of graph.callsOf(place)) {
        const cost = files + (called.file === place.file ? 0 : 1)
        const known = seen.get(called.key)
        if (known !== undefined && known.files <= cost) continue
        seen.set(called.key, { place: called, before: place.key, files: cost })
        ;(cost === files ? ring : next).push(called)
      }
    }
    ring = next
  }
  return null
}

/** @param {Map<string, { readonly place: Place, readonly before: string | null }>} seen @param {Place} to */
function wayTo(seen, to) {
  /** @type {Place[]} */
  const way = []
  let at = seen.get(to.key)
  while (at !== undefined) {
    way.unshift(at.place)
    at = at.before === null ? undefined : seen.get(at.before)
  }
  return way
}

/**
 * Prints a way and answers how many files it leads through.
 * @param {CallGraph} graph @param {Way} way
 */
function follow(graph, { title, legs }) {
  say(`${title}:`)
  /** @type {Map<string, number>} */
  const numbers = new Map()
  for (const { what, stops } of legs) {
    say(`  ${what}`)
    const places = stops.map((stop) => {
      const [file = '', name = ''] = stop.split(' ')
      return graph.find(file, name)
    })
    /** @type {string | null} */
    let last = null
    for (const [i, to] of places.slice(1).entries()) {
      const from = /** @type {Place} */ (places[i])
      const way = shortestWay(graph, from, to)
      if (way === null)
        throw new Error(`No call leads from ${from.label} in ${from.file} to ${to.label} in ${to.file}`)
      for (const { file, label } of way) {
        if (file === last) continue
        last = file
        const isNew = !numbers.has(file)
        if (isNew) numbers.set(file, numbers.size + 1)
        say(`    ${isNew ? String(numbers.get(file)).padStart(2) : ' ·'} ${file}  ${label}`)
      }
    }
  }
  say(`${numbers.size} files`)
  return numbers.size
}

const ASIDE = /\.test\.tsx?$|^lib\/(testing|demo|build)\/|^e2e\/|\/assembly\//
const files = checkImports(root).files.filter((file) => !ASIDE.test(file))
const graph = new CallGraph(root, files)
try {
  const counts = WAYS.map((way) => follow(graph, way))
  if (counts.some((count) => count > MOST_FILES)) {
    say(`No way may lead through more than ${MOST_FILES} files.`)
    process.exitCode = 1
  }
} finally {
  graph.close()
}
