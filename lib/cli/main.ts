import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { version } from '../../package.json'
import type { Used } from '../core/budget/regions'
import { LOG_KINDS } from '../core/logs/log-kinds'
import { PRUNE_RULE_NAMES } from '../core/pruning/prune-rule-names'
import type { CallChoice } from '../engine/inspect-session'
import { EXIT, type ExitCode, type Io, isCliError } from './io'
import { note, writeJson } from './output'

/** A verb's work; its module is loaded only when it is asked for. */
type Verb<Options> = (io: Io, options: Options) => Promise<ExitCode>

/** Runs one command line and answers its exit code; never throws, never ends the process. */
export async function main(io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done
  const program = makeProgram(io, (code) => {
    exit = code
  })
  // A reader that closes our output early is no error.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    await program.parseAsync([...io.argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return reportUse(io, error)
    return report(io, error)
  }
}

/** Commander has told the reader what is wrong; a program wants its one document all the same. */
async function reportUse(io: Io, { exitCode, message }: CommanderError): Promise<ExitCode> {
  if (exitCode === 0) return EXIT.done
  if (io.argv.includes('--json'))
    await writeJson(io, { error: { code: 'usage', message: message.replace(/^error: /, '') } })
  return EXIT.usage
}

async function report(io: Io, error: unknown): Promise<ExitCode> {
  const known = isCliError(error)
  const message = error instanceof Error ? error.message : String(error)
  if (io.argv.includes('--json')) {
    const code = known
      ? (Object.entries(EXIT).find(([, value]) => value === error.exit)?.[0] ?? 'fault')
      : 'fault'
    await writeJson(io, { error: { code, message, ...(known ? error.details : {}) } })
  }
  await note(io, `plimsoll: ${message}`)
  if (!known && io.env.PLIMSOLL_DEBUG && error instanceof Error) await note(io, error.stack ?? '')
  return known ? error.exit : EXIT.fault
}

function makeProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('plimsoll')
    .description('See what fills the context windows of LLM agents.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(plimsoll --help lists what there is)')

  /** Adds a verb; commander hands over its arguments and options, which `pack` turns into one object. */
  const add = <Options>(
    usage: string,
    description: string,
    options: readonly Option[],
    load: () => Promise<Verb<Options>>,
    pack: (given: { args: string[]; options: Record<string, unknown> }) => Options,
  ) => {
    const command = program.command(usage).description(description)
    for (const option of options) command.addOption(option)
    command.action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command
      const verb = await load()
      finish(await verb(io, pack({ args: self.args, options: self.opts() })))
    })
  }

  const json = new Option('--json', 'one JSON document on standard output')
  const store = new Option(
    '--store <path>',
    'read this store instead of the configured ones (repeatable)',
  ).argParser((path: string, before: readonly string[] | undefined) => [...(before ?? []), path])
  const policyOption = new Option(
    '--policy <name>',
    'a preset or a policy file instead of the policy in force',
  )
  const reading = [json, store]
  const reveal = new Option('--reveal', 'show credentials, which are covered otherwise')
  const plain = <Options>({ options }: { options: Record<string, unknown> }) => options as Options
  const withSession = <Options>({ args, options }: { args: string[]; options: Record<string, unknown> }) =>
    ({ ...options, session: args[0] }) as Options

  add(
    'serve',
    'the dashboard',
    [
      new Option('--host <address>', 'address to listen on; beyond this machine only with PLIMSOLL_TOKEN'),
      new Option('--port <number>', 'port to listen on').argParser(parsePort),
    ],
    async () => (await import('./commands/serve')).serve,
    plain,
  )
  add(
    'ingest',
    'read the stores into the database',
    [
      ...reading,
      new Option('--watch', 'stay and follow the stores'),
      new Option('--no-search', 'leave full-text search out'),
      // How `serve` starts it: goes on with a broken settings file, ends when the file names other stores.
      new Option('--beside-dashboard').hideHelp(),
    ],
    async () => (await import('./commands/ingest')).ingest,
    plain,
  )
  add(
    'stores',
    'list the stores and the places that were probed',
    reading,
    async () => (await import('./commands/stores')).stores,
    plain,
  )
  add(
    'sessions',
    'list the sessions',
    [...reading, reveal],
    async () => (await import('./commands/sessions')).sessions,
    plain,
  )
  add(
    'status [session]',
    'window, fill, regions, load lines and compactions; of the newest session, if none is named',
    [...reading, policyOption],
    async () => (await import('./commands/status')).status,
    withSession,
  )
  add(
    'context <session>',
    'what the model saw at a call',
    [
      ...reading,
      policyOption,
      new Option('--call <n>', 'number of the call, "last" or "next"').default('last').argParser(parseCall),
      new Option('--exact', 'also count the texts with a tokenizer: exact for models whose own it is'),
      reveal,
    ],
    async () => (await import('./commands/context')).context,
    withSession,
  )
  add(
    'score [session]',
    'what each chunk of a context is worth for a prompt, part by part, and what the policy would do with it',
    [
      ...reading,
      policyOption,
      new Option('--prompt <text>', 'hold chunks against this instead of what the user asked last'),
      new Option('--scorer <name>', 'instead of the one that the policy names').choices(['seed', 'logistic']),
      new Option('--chunk-id <id>', 'only this chunk: the id of the entry that it begins with'),
      new Option('--call <n>', 'number of the call, "last" or "next"').default('next').argParser(parseCall),
      reveal,
    ],
    async () => (await import('./commands/score')).score,
    withSession,
  )
  add(
    'policy <action> [arguments...]',
    'show | check [FILE…] | diff [A] [B] | apply [KEY=VALUE…]',
    [
      json,
      policyOption,
      new Option('--window <tokens>', 'show: the window to work out').argParser(parseTokens),
      new Option('--used <parts>', 'show: what is in use, e.g. system=8500,bootstrap=3200').argParser(
        parseUsed,
      ),
      new Option('--file <path>', 'apply: the file to change instead of our own'),
      new Option('--dry-run', 'apply: show the change, write nothing'),
    ],
    async () => (await import('./commands/policy')).policy,
    ({ args, options }) => ({ ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'repair <session>',
    'look for damage in a transcript (--check, the default), or repair it (--apply)',
    [
      ...reading,
      new Option('--check', 'look only; exit code 1 when something is wrong'),
      new Option('--apply', 'repair, with a backup and a receipt'),
      new Option(
        '--doctor',
        "with --apply, for OpenClaw's databases: have OpenClaw's own doctor write a missing header",
      ),
      new Option('--diff', 'with --check: show each entry that would change'),
      new Option('--rules <generation>', 'whose rules decide about tool calls and results')
        .choices(['early', 'late'])
        .default('late'),
      reveal,
    ],
    async () => (await import('./commands/repair')).repair,
    withSession,
  )
  add(
    'compact [session]',
    'show what a compaction would do (--dry-run, the default), or do it (--now); the session may be left out when there is only one',
    [
      ...reading,
      policyOption,
      new Option('--dry-run', 'show the plan; nothing is written anywhere'),
      new Option('--now', 'compact, with a backup and a receipt'),
      new Option('--focus <text>', 'what the summary should pay most attention to'),
      new Option('--call <number>', 'plan as of this call: a number, "last" or "next"')
        .argParser(parseCall)
        .default('next'),
      new Option('--digest', 'ask no model, even if the policy names one'),
      new Option('--show-summary', 'with --dry-run: print the digest'),
      new Option('--retry-pending', 'ask again for summaries that no model wrote, in all sessions'),
    ],
    async () => (await import('./commands/compact')).compact,
    withSession,
  )
  add(
    'prune [session]',
    'what rules of pruning would take out of what is sent, each alone and together; never writes anything',
    [
      ...reading,
      policyOption,
      new Option('--dry-run', 'what it does anyway: pruning changes what is sent, never a transcript'),
      new Option('--rule <name...>', 'look at these rules together instead of those of the policy').choices(
        PRUNE_RULE_NAMES,
      ),
      new Option('--call <number>', 'as of this call: a number, "last" or "next"')
        .argParser(parseCall)
        .default('next'),
      new Option('--all', 'list what stays as well'),
      reveal,
    ],
    async () => (await import('./commands/prune')).prune,
    withSession,
  )
  add(
    'compactions <session>',
    'what was compacted or reset in a session, and what that lost by name',
    [...reading, new Option('--losses <n>', 'lost names to list for each').default(0).argParser(parseCount)],
    async () => (await import('./commands/compactions')).compactions,
    withSession,
  )
  add(
    'cold-storage <action> [words...]',
    'what was dropped: list | search WORDS | extend ID --days N | purge what has expired (a dry run without --apply)',
    [
      ...reading,
      policyOption,
      new Option('--session <id>', 'only of this session'),
      new Option('--reason <reason>', 'only what was dropped for this reason'),
      new Option('--min-score <score>', 'only from this relevance at the drop on').argParser(parseNumber),
      new Option('--max-score <score>', 'only up to this relevance at the drop').argParser(parseNumber),
      new Option('--since <time>', 'only what was dropped from then on').argParser(parseTime),
      new Option('--until <time>', 'only what was dropped up to then').argParser(parseTime),
      new Option('--expired', 'also what is no longer offered'),
      new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount),
      new Option('--archives', 'search: also in transcripts that were reset, deleted or archived'),
      new Option('--days <n>', 'extend: keep the chunk for so many days from now on').argParser(parseCount),
      new Option('--apply', 'purge: remove it, for good'),
    ],
    async () => (await import('./commands/cold-storage')).coldStorage,
    ({ args, options }) => ({ limit: 50, ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'recover',
    'bring a dropped chunk back: to standard output, into a file, or into its transcript',
    [
      ...reading,
      policyOption,
      new Option('--chunk-id <id>', 'the chunk').makeOptionMandatory(),
      new Option('--to <place>', '"stdout", "transcript" or a new file').default('stdout'),
      new Option('--at <place>', 'in a transcript: where it stood, or at the end')
        .choices(['neighbourhood', 'end'])
        .default('neighbourhood'),
      new Option('--session <id>', 'session of the chunk, and the one that it goes into'),
    ],
    async () => (await import('./commands/recover')).recover,
    plain,
  )
  add(
    'undo <receipt>',
    'take a write back, byte for byte',
    [json],
    async () => (await import('./commands/undo')).undo,
    ({ args, options }) => ({ ...options, receipt: args[0] ?? '' }),
  )
  add(
    'audit',
    'every write to a store, newest first',
    [json, new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount)],
    async () => (await import('./commands/audit')).audit,
    plain,
  )
  const logSource = [
    ...reading,
    policyOption,
    new Option('--path <folder>', 'read the logs in this folder instead of the known ones'),
    new Option('--session <id>', 'only lines of this session: its id, or the unique beginning of it'),
    new Option('--limit <n>', 'how many of the newest lines to list').default(50).argParser(parseCount),
  ]
  add(
    'logs',
    'the logs of compactions, curations, drops, recoveries and health checks',
    [
      ...logSource,
      new Option('--kind <kind>', 'one log only').choices(LOG_KINDS),
      new Option('--stats', 'what they come to: savings, reasons, fill'),
      new Option('--histogram', 'scores of what was dropped'),
      new Option(
        '--what-if <cut-off>',
        'what another cut-off (0 to 1) would have made of the logged drops',
      ).argParser(parseShare),
      new Option('--keep <score>', '--what-if: with this keep threshold as well').argParser(parseShare),
      new Option('--against <cut-off>', '--what-if: compared with this one, not the policy’s').argParser(
        parseShare,
      ),
      new Option('--trial', '--what-if: tried on the transcripts of these sessions as well'),
    ],
    async () => (await import('./commands/logs')).logs,
    plain,
  )
  add(
    'memory <action> [words...]',
    'what is known beyond a session: list | search WORDS | add TEXT | forget ID...',
    [
      json,
      policyOption,
      new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount),
      new Option('--facts', 'search: facts only, not memory files, cold storage and old sessions'),
      new Option('--scope <name>', 'add: the workspace or agent that it concerns; all, if none is named'),
      new Option('--tag <tag>', 'add: what it is about (repeatable)').argParser(
        (tag: string, before: readonly string[] | undefined) => [...(before ?? []), tag],
      ),
    ],
    async () => (await import('./commands/memory')).memory,
    ({ args, options }) => ({ limit: 50, ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'tasks',
    'the tasks that agents work through, as trees, and which of them wait for each other',
    [
      json,
      new Option('--session <key>', 'only of this session: its key, or the beginning of it'),
      new Option('--check', 'end with exit code 1 when tasks wait for each other'),
    ],
    async () => (await import('./commands/tasks')).tasks,
    plain,
  )
  add(
    'drops',
    'what was dropped from contexts, why, and at which score',
    [...logSource, new Option('--chunk-id <id>', 'the life of this chunk, from its drop to its expiry')],
    async () => (await import('./commands/drops')).drops,
    plain,
  )
  add(
    'health [session]',
    'check how full the window is, and note it in the health log; of the newest session, if none is named',
    [
      ...reading,
      policyOption,
      new Option(
        '--notify-if-pct <share>',
        'above this share of the window (0 to 1) tell the operator and end with exit code 1',
      ).argParser(parseShare),
      new Option('--no-log', 'leave the log alone'),
      new Option('--all', 'check every live session'),
      new Option('--watch', 'stay, and check again and again'),
      new Option('--every <seconds>', 'with --watch: how long between two checks')
        .default(60)
        .argParser(parseCount),
    ],
    async () => (await import('./commands/health')).health,
    withSession,
  )
  add(
    'maintain',
    "show what the stores' own limits would remove, or remove it (--enforce)",
    [
      ...reading,
      new Option(
        '--enforce',
        "remove it, with a receipt: files with a backup of everything, databases by OpenClaw's own command",
      ),
      new Option('--active <key>', 'a session that must stay (repeatable)').argParser(
        (key: string, before: readonly string[] | undefined) => [...(before ?? []), key],
      ),
      new Option('--fix-missing', "in OpenClaw's databases, also remove sessions without any message"),
    ],
    async () => (await import('./commands/maintain')).maintain,
    plain,
  )
  add(
    'reset',
    'take away what managing contexts has left: cold storage and logs (refuses without --force)',
    [json, policyOption, new Option('--force', 'do it, with a backup of everything and a receipt')],
    async () => (await import('./commands/reset')).reset,
    plain,
  )
  add(
    'doctor',
    'what was probed, found and refused, and why',
    reading,
    async () => (await import('./commands/doctor')).doctor,
    plain,
  )
  add(
    'demo',
    'write the made-up demo store into the state folder',
    [json],
    async () => (await import('./commands/demo')).demo,
    plain,
  )
  program.addHelpText('after', HELP)
  return program
}

const HELP = `
SESSION is a session id, a session key, the unique beginning of either, or a transcript file.
Exit codes: 0 done, 1 a check says no, 2 wrong use, 3 refused, 4 input unreadable, 5 fault.`

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}

function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

function parseNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

function parseTime(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time like 2026-11-02T08:00Z.')
  return at
}

function parseTokens(text: string): number {
  const tokens = Number(text)
  if (!/^\d+$/.test(text) || tokens < 1) throw new InvalidArgumentError('It must be a number of tokens.')
  return tokens
}

function parseShare(text: string): number {
  const share = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || share > 1)
    throw new InvalidArgumentError('It must be a share from 0 to 1, for example 0.50.')
  return share
}

/** `system=8500,bootstrap=3200[,response=…]`, in tokens. */
function parseUsed(text: string): Used {
  const parts = new Map(text.split(',').map((part) => part.split('=', 2) as [string, string | undefined]))
  const amounts = Object.fromEntries([...parts].map(([name, tokens]) => [name, parseTokens(tokens ?? '')]))
  const { system, bootstrap, response, ...others } = amounts
  if (system === undefined || bootstrap === undefined || Object.keys(others).length > 0) {
    throw new InvalidArgumentError('It must be like system=8500,bootstrap=3200 (and response=…, if known).')
  }
  return { system, bootstrap, ...(response === undefined ? {} : { response }) }
}

function parseCall(text: string): CallChoice {
  if (text === 'last' || text === 'next') return text
  const call = Number(text)
  if (!/^\d+$/.test(text) || call < 1)
    throw new InvalidArgumentError('It must be a number from 1, "last" or "next".')
  return call
}
