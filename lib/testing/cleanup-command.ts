import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const LIBSQL = createRequire(import.meta.url).resolve('libsql')

/** How a command behaves in the place of OpenClaw's `sessions cleanup`, and its `doctor`. */
export type CleanupBehaviour = {
  /** Fields of its answers that are other than those of one that removes one session. */
  readonly dryRun?: object
  readonly enforced?: object
  /** What it prints instead of the dry run, or of the answer. */
  readonly dryRunText?: string
  readonly enforcedText?: string
  /** What it really does to the database: statements, one by one. */
  readonly sql?: readonly string[]
  /** What it does when it is called as the doctor. */
  readonly doctorSql?: readonly string[]
  /** JavaScript that runs at the end of the dry run, or of the change, before the answer. */
  readonly beforePlan?: string
  readonly beforeAnswer?: string
}

/** What OpenClaw 2026.9.6 answers, where one session of three goes. */
export const CLEANUP_ANSWER = {
  agentId: 'main',
  mode: 'enforce',
  beforeCount: 3,
  afterCount: 2,
  missing: 0,
  dmScopeRetired: 0,
  modelRunPruned: 0,
  archived: 0,
  capArchived: 0,
  pruned: 1,
  capped: 0,
  unreferencedArtifacts: { scannedFiles: 0, removedFiles: 0, freedBytes: 0, olderThanMs: 2_592_000_000 },
  diskBudget: { removedEntries: 0, removedFiles: 0, freedBytes: 0, overBudget: false },
  wouldMutate: true,
}

/**
 * Writes a command that notes how it was called (`calls.jsonl` beside it), changes the database when it is not asked for
 * a dry run, and answers. Returns how it is run.
 */
export function cleanupCommand(folder: string, database: string, behaviour: CleanupBehaviour = {}): string[] {
  const { dryRun, enforced, sql = [], doctorSql = [], beforePlan = '', beforeAnswer = '' } = behaviour
  const plan = { ...CLEANUP_ANSWER, storePath: database, dryRun: true, ...dryRun }
  const done = { ...plan, dryRun: false, applied: true, appliedCount: 2, ...enforced }
  const file = join(folder, 'openclaw.cjs')
  writeFileSync(
    file,
    `const { appendFileSync } = require('node:fs')
    const argv = process.argv.slice(2)
    const note = { argv, state: process.env.OPENCLAW_STATE_DIR, url: process.env.OPENCLAW_GATEWAY_URL }
    appendFileSync(${JSON.stringify(join(folder, 'calls.jsonl'))}, JSON.stringify(note) + '\\n')
    if (argv.includes('--dry-run')) {
      ${beforePlan}
      console.log(${JSON.stringify(behaviour.dryRunText ?? JSON.stringify(plan, null, 2))})
    } else {
      const Database = require(${JSON.stringify(LIBSQL)})
      const database = new Database(${JSON.stringify(database)})
      const statements = argv[0] === 'doctor' ? ${JSON.stringify(doctorSql)} : ${JSON.stringify(sql)}
      for (const statement of statements) database.exec(statement)
      database.close()
      ${beforeAnswer}
      console.log(${JSON.stringify(behaviour.enforcedText ?? JSON.stringify(done, null, 2))})
    }`,
  )
  return [process.execPath, file]
}

/** Statements that take a session out of the index, with its transcript. */
export function removeSession(key: string, id: string): string[] {
  return [
    `DELETE FROM session_nodes WHERE session_key = '${key}'`,
    `DELETE FROM session_windows WHERE session_key = '${key}'`,
    `DELETE FROM transcript_events WHERE session_id = '${id}'`,
  ]
}
