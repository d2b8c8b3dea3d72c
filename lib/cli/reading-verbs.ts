import { Option } from 'commander'
import { SEVERITIES } from '../core/findings/finding'
import { PICK_NAMES } from '../core/findings/remedies/tuned-kinds'
import {
  parseCall,
  parseCount,
  parseEach,
  parsePort,
  parseShare,
  parseSince,
  parseTimeOption,
  parseWords,
} from './choose/parse-values'
import {
  type AddVerb,
  JSON_OPTION,
  POLICY,
  plain,
  READING,
  REVEAL_OPTION,
  withSession,
  withSubject,
} from './verb'

/** Which sessions are replayed. */
const REPLAYED = [
  new Option('--sessions <id>', 'only this session: id, key or beginning (repeatable)').argParser(parseEach),
  new Option('--agent <name>', 'only sessions of this agent (repeatable)').argParser(parseEach),
  new Option('--since <time>', 'written to in these whole UTC days: 7d, 2w, a date, or all').argParser(
    parseSince,
  ),
  new Option('--threads <n>', 'so many threads; the result is the same with any number').argParser(
    parseCount,
  ),
]

/** Verbs that look: at the stores, at a session, at one call. None writes into a store. */
export function readingVerbs(add: AddVerb): void {
  add(
    'serve',
    'the dashboard',
    [
      new Option('--host <address>', 'address to listen on; beyond this machine only with PLIMSOLL_TOKEN'),
      new Option('--port <number>', 'port to listen on').argParser(parsePort),
      new Option('--open', 'open it in the browser, signed in'),
      new Option('--open-to-local-users', 'let every account on this machine in, without a token'),
    ],
    async () => (await import('./verbs/serve')).serve,
    plain,
  )
  add(
    'sign-in',
    'print a link that signs a browser in at the dashboard that runs, once and within an hour',
    [
      JSON_OPTION,
      new Option('--host <address>', 'address that it listens on'),
      new Option('--port <number>', 'port that it listens on').argParser(parsePort),
    ],
    async () => (await import('./verbs/sign-in')).signIn,
    plain,
  )
  add(
    'ingest',
    'read the stores into the database',
    [
      ...READING,
      new Option('--watch', 'stay and follow the stores'),
      new Option('--no-search', 'leave full-text search out'),
      // How `serve` starts it: goes on with a broken settings file, ends when the file names other stores.
      new Option('--beside-dashboard').hideHelp(),
    ],
    async () => (await import('./verbs/ingest')).ingestVerb,
    plain,
  )
  add(
    'stores',
    'list the stores and the places that were probed',
    READING,
    async () => (await import('./verbs/stores')).stores,
    plain,
  )
  add(
    'sessions',
    'list the sessions, each with the number of its copies',
    [
      ...READING,
      REVEAL_OPTION,
      new Option('--copies', 'list archives, backups and checkpoints in separate rows, too'),
    ],
    async () => (await import('./verbs/sessions')).sessions,
    plain,
  )
  add(
    'status [session]',
    'window, fill, regions, load lines and compactions; of the newest session, if none is named',
    [...READING, POLICY],
    async () => (await import('./verbs/status')).status,
    withSession,
  )
  add(
    'context <session>',
    'what the model saw at a call',
    [
      ...READING,
      POLICY,
      new Option('--call <n>', 'number of the call, "last" or "next"').default('last').argParser(parseCall),
      new Option('--exact', 'also count the texts with a tokenizer: exact for models whose own it is'),
      REVEAL_OPTION,
    ],
    async () => (await import('./verbs/context')).context,
    withSession,
  )
  add(
    'score [session]',
    'what each chunk of a context is worth for a prompt, part by part, and what the policy would do with it',
    [
      ...READING,
      POLICY,
      new Option('--prompt <text>', 'hold chunks against this instead of what the user asked last').argParser(
        parseWords,
      ),
      new Option('--scorer <name>', 'instead of the one that the policy names').choices(['seed', 'logistic']),
      new Option('--chunk-id <id>', 'only this chunk: the id of the entry that it begins with'),
      new Option('--call <n>', 'number of the call, "last" or "next"').default('next').argParser(parseCall),
      REVEAL_OPTION,
    ],
    async () => (await import('./verbs/score')).score,
    withSession,
  )
  add(
    'compactions <session>',
    'what was compacted or reset in a session, and what that lost by name',
    [...READING, new Option('--losses <n>', 'lost names to list for each').default(0).argParser(parseCount)],
    async () => (await import('./verbs/compaction/compactions')).compactions,
    withSession,
  )
  add(
    'report',
    'one page on a period: usage, money, fills, compactions, and what costs again and again',
    [
      ...READING,
      new Option('--since <time>', 'whole UTC days: 7d, 2w, a date, or all')
        .default({ days: 7 }, '7d')
        .argParser(parseSince),
      new Option('--markdown', 'as Markdown'),
      new Option('--html <file>', 'into a file that a browser opens, without scripts'),
    ],
    async () => (await import('./verbs/report')).report,
    plain,
  )
  add(
    'findings [what] [id]',
    '[SESSION]: what is wrong or dear and what it costs | apply ID: change the setting behind it, pin a rule, or repair, compact, maintain | verify [ID]: did it help | mute ID, unmute ID',
    [
      ...READING,
      new Option('--since <time>', 'what showed in these whole UTC days: 7d, 2w, a date, or all').argParser(
        parseSince,
      ),
      new Option('--severity <level>', 'this severity and worse ones')
        .choices([...SEVERITIES])
        .default('low'),
      new Option('--fail-on <level>', 'exit with 1 at this severity or a worse one').choices([...SEVERITIES]),
      new Option('--dry-run', 'apply: show the change and what it would do, write nothing'),
      new Option('--rule <code>', 'apply: pin the rule that was shown with this code'),
      new Option('--key <setting>', 'apply: this setting, where several would cure the finding'),
      new Option('--pick <name>', 'apply: the values of the newest tuning over its sessions').choices([
        ...PICK_NAMES,
      ]),
      new Option('--no-replay', 'apply: do not replay the change over recorded sessions first'),
      new Option('--muted', 'list what is muted as well'),
      new Option('--reason <text>', 'mute: why'),
      new Option('--until <time>', 'mute: from then on it shows again').argParser(parseTimeOption),
      new Option('--cause', 'mute: all findings of its cause'),
    ],
    async () => (await import('./verbs/findings/findings')).findings,
    withSubject,
  )
  add(
    'replay',
    'what other policies would have saved and lost on recorded sessions, assuming the agent had done the same',
    [
      ...READING,
      ...REPLAYED,
      new Option('--policy <name>', 'a policy of the table, a preset or a file (repeatable)').argParser(
        parseEach,
      ),
      new Option(
        '--max-regret <share>',
        'exit with 1 when a policy leaves more of the needs unmet',
      ).argParser(parseShare),
      new Option('--min-saving <share>', 'exit with 1 when a policy saves less of the cost').argParser(
        parseShare,
      ),
      new Option('--save <name>', 'keep the result as an experiment of the Lab page'),
    ],
    async () => (await import('./verbs/policy/replay')).replay,
    plain,
  )
  add(
    'tune',
    'look for a policy that saves more and loses little: learnt on some recorded sessions, measured on others',
    [
      ...READING,
      ...REPLAYED,
      new Option('--save <name>', 'keep the result as an experiment of the Lab page'),
    ],
    async () => (await import('./verbs/policy/tune')).tune,
    plain,
  )
  add(
    'statusline',
    "one line for Claude Code's status line, from the JSON that it gives on standard input",
    [JSON_OPTION],
    async () => (await import('./verbs/statusline')).statusline,
    plain,
  )
  add(
    'doctor',
    'what was probed, found and refused, and why',
    READING,
    async () => (await import('./verbs/repair/doctor')).doctor,
    plain,
  )
  add(
    'demo',
    'write the made-up demo store into the state folder',
    [JSON_OPTION],
    async () => (await import('./verbs/demo')).demo,
    plain,
  )
}
