import { Option } from 'commander'
import { SEVERITIES } from '../core/findings/finding'
import { LOG_KINDS } from '../core/logs/log-kinds'
import {
  parseCount,
  parseDays,
  parseEach,
  parseNumber,
  parseSeconds,
  parseShare,
  parseTimeOption,
} from './choose/parse-values'
import { type AddVerb, JSON_OPTION, POLICY, plain, READING, REVEAL_OPTION, withSession } from './verb'

/** Verbs about what left a context and what is known beyond it: cold storage, logs, memory, tasks. */
export function keepingVerbs(add: AddVerb): void {
  const logSource = [
    ...READING,
    POLICY,
    new Option('--path <folder>', 'read the logs in this folder instead of the known ones'),
    new Option('--session <id>', 'only lines of this session: its id, or the unique beginning of it'),
    new Option('--limit <n>', 'how many of the newest lines to list').default(50).argParser(parseCount),
  ]
  add(
    'cold-storage <action> [words...]',
    'what was dropped: list | search WORDS | extend ID --days N | purge what has expired (a dry run without --apply)',
    [
      ...READING,
      POLICY,
      new Option('--session <id>', 'only of this session'),
      new Option('--reason <reason>', 'only what was dropped for this reason'),
      new Option('--min-score <score>', 'only from this relevance at the drop on').argParser(parseNumber),
      new Option('--max-score <score>', 'only up to this relevance at the drop').argParser(parseNumber),
      new Option('--since <time>', 'only what was dropped from then on').argParser(parseTimeOption),
      new Option('--until <time>', 'only what was dropped up to then').argParser(parseTimeOption),
      new Option('--expired', 'also what is no longer offered'),
      new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount),
      new Option('--archives', 'search: also in transcripts that were reset, deleted or archived'),
      new Option('--days <n>', 'extend: keep the chunk for so many days from now on').argParser(parseDays),
      new Option('--apply', 'purge: remove it, for good'),
    ],
    async () => (await import('./verbs/cold-storage')).coldStorage,
    ({ args, options }) => ({ limit: 50, ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'archive [action] [ids...]',
    'copies of transcripts that outlive what their runtime deletes: list | restore ID | verify | prune [ID...]',
    [
      ...READING,
      new Option('--deleted', 'list: only what is no longer in its store'),
      new Option('--limit <n>', 'list: how many').default(50).argParser(parseCount),
      new Option('--to <file>', 'restore: into this new file, not where it was'),
      new Option('--number <n>', 'restore: this version, from before it was written anew').argParser(
        parseCount,
      ),
      new Option('--apply', 'restore, prune: do it; without it, it is only shown'),
      new Option('--dry-run', 'restore, prune: only show it, as without --apply'),
    ],
    async () => (await import('./verbs/archive/archive')).archive,
    ({ args, options }) => ({ limit: 50, ...options, action: args[0], rest: args.slice(1) }),
  )
  add(
    'recover',
    'bring a dropped chunk back: to standard output, into a file, or into its transcript',
    [
      ...READING,
      POLICY,
      new Option('--chunk-id <id>', 'the chunk').makeOptionMandatory(),
      new Option('--to <place>', '"stdout", "transcript" or a new file').default('stdout'),
      new Option('--at <place>', 'in a transcript: where it was, or at the end')
        .choices(['neighbourhood', 'end'])
        .default('neighbourhood'),
      new Option('--session <id>', 'session of the chunk, and the one that it goes into'),
      REVEAL_OPTION,
    ],
    async () => (await import('./verbs/recover')).recover,
    plain,
  )
  add(
    'drops',
    'what was dropped from contexts, why, and at which score',
    [...logSource, new Option('--chunk-id <id>', 'the life of this chunk, from its drop to its expiry')],
    async () => (await import('./verbs/drops')).drops,
    plain,
  )
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
    async () => (await import('./verbs/logs')).logs,
    plain,
  )
  add(
    'health [session]',
    'check how full the window is, and note it in the health log; of the newest session, if none is named',
    [
      ...READING,
      POLICY,
      new Option(
        '--notify-if-pct <share>',
        'above this share of the window (0 to 1) tell the operator and end with exit code 1',
      ).argParser(parseShare),
      new Option(
        '--findings <level>',
        'look for findings of this severity and worse ones, tell the operator of each once, and end with exit code 1',
      ).choices([...SEVERITIES]),
      new Option('--no-log', 'leave the log alone'),
      new Option('--all', 'check every live session'),
      new Option('--watch', 'stay, and check again and again'),
      new Option('--every <seconds>', 'with --watch: how long between two checks')
        .default(60)
        .argParser(parseSeconds),
    ],
    async () => (await import('./verbs/health')).health,
    withSession,
  )
  add(
    'memory <action> [words...]',
    'what is known beyond a session: list | search WORDS | add TEXT | forget ID...',
    [
      JSON_OPTION,
      POLICY,
      new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount),
      new Option('--facts', 'search: facts only, not memory files, cold storage and old sessions'),
      new Option('--scope <name>', 'add: the workspace or agent that it concerns; all, if none is named'),
      new Option('--tag <tag>', 'add: what it is about (repeatable)').argParser(parseEach),
    ],
    async () => (await import('./verbs/memory')).memory,
    ({ args, options }) => ({ limit: 50, ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'tasks',
    'the tasks that agents work through, as trees, and which of them wait for each other',
    [
      JSON_OPTION,
      new Option('--session <key>', 'only of this session: its key, or the beginning of it'),
      new Option('--check', 'end with exit code 1 when tasks wait for each other'),
    ],
    async () => (await import('./verbs/tasks')).tasks,
    plain,
  )
}
