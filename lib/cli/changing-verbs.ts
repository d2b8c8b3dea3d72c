import { Option } from 'commander'
import { PRUNE_RULE_NAMES } from '../core/pruning/prune-rule-names'
import { parseCall, parseCount, parseEach, parseTokens, parseUsed } from './choose/parse-values'
import { type AddVerb, JSON_OPTION, POLICY, plain, READING, REVEAL_OPTION, withSession } from './verb'

/** Verbs that decide what stays in a context, change a store, and take that back. */
export function changingVerbs(add: AddVerb): void {
  add(
    'policy <action> [arguments...]',
    'show [SESSION] | check [FILE…] | diff [A] [B] | apply [KEY=VALUE…]',
    [
      ...READING,
      POLICY,
      new Option('--window <tokens>', 'show: the window to work out').argParser(parseTokens),
      new Option('--used <parts>', 'show: what is in use, e.g. system=8500,bootstrap=3200').argParser(
        parseUsed,
      ),
      new Option(
        '--file <path>',
        'apply: the file to change instead of our own; a runtime’s gets that runtime’s own keys',
      ),
      new Option('--dry-run', 'apply: show the change, write nothing'),
    ],
    async () => (await import('./verbs/policy/policy')).policy,
    ({ args, options }) => ({ ...options, action: args[0] ?? '', rest: args.slice(1) }),
  )
  add(
    'trust [file]',
    'show what a settings file in the working folder names (commands, addresses, folders), and trust it as it is now',
    [
      JSON_OPTION,
      new Option('--list', 'the files that are trusted'),
      new Option('--revoke', 'trust it no more'),
      new Option('--dry-run', 'show what it names, write nothing'),
    ],
    async () => (await import('./verbs/policy/trust')).trust,
    ({ args, options }) => ({ ...options, ...(args[0] === undefined ? {} : { file: args[0] }) }),
  )
  add(
    'repair <session>',
    'look for damage in a transcript (--check, the default), or repair it (--apply)',
    [
      ...READING,
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
      REVEAL_OPTION,
    ],
    async () => (await import('./verbs/repair/repair')).repair,
    withSession,
  )
  add(
    'compact [session]',
    'show what a compaction would do (--dry-run, the default), or do it (--now); the session may be left out when there is only one',
    [
      ...READING,
      POLICY,
      new Option('--dry-run', 'show the plan; nothing is written anywhere'),
      new Option('--now', 'compact, with a backup and a receipt'),
      new Option('--focus <text>', 'what the summary should pay most attention to'),
      new Option('--call <number>', 'plan as of this call: a number, "last" or "next"')
        .argParser(parseCall)
        .default('next'),
      new Option('--digest', 'ask no model, even if the policy names one'),
      new Option(
        '--session-model',
        'let the model that the session runs on write the summary this time, at its provider’s own address',
      ),
      new Option('--show-summary', 'with --dry-run: print the digest'),
      new Option('--compare', 'dry runs of your files and of every preset, side by side'),
      new Option('--retry-pending', 'ask again for summaries that no model wrote, in all sessions'),
    ],
    async () => (await import('./verbs/compaction/compact')).compact,
    withSession,
  )
  add(
    'prune [session]',
    'what rules of pruning would take out of what is sent, each alone and together; never writes anything',
    [
      ...READING,
      POLICY,
      new Option('--dry-run', 'what it does anyway: pruning changes what is sent, never a transcript'),
      new Option('--rule <name...>', 'look at these rules together instead of those of the policy').choices(
        PRUNE_RULE_NAMES,
      ),
      new Option('--call <number>', 'as of this call: a number, "last" or "next"')
        .argParser(parseCall)
        .default('next'),
      new Option('--all', 'list what stays as well'),
      REVEAL_OPTION,
    ],
    async () => (await import('./verbs/compaction/prune')).prune,
    withSession,
  )
  add(
    'undo <receipt>',
    'take a write back, byte for byte',
    [
      JSON_OPTION,
      new Option('--unsigned', 'also one from before receipts were signed, if all else about it is right'),
    ],
    async () => (await import('./verbs/repair/undo')).undo,
    ({ args, options }) => ({ ...options, receipt: args[0] ?? '' }),
  )
  add(
    'audit',
    'every write to a store, newest first',
    [
      JSON_OPTION,
      new Option('--limit <n>', 'how many to list').default(50).argParser(parseCount),
      new Option(
        '--verify',
        'whether a line of the log was changed, added or taken away since it was written',
      ),
    ],
    async () => (await import('./verbs/repair/audit')).audit,
    plain,
  )
  add(
    'maintain',
    "show what the stores' own limits would remove, or remove it (--enforce)",
    [
      ...READING,
      new Option(
        '--enforce',
        "remove it, with a receipt: files with a backup of everything, databases by OpenClaw's own command",
      ),
      new Option('--active <key>', 'a session that must stay (repeatable)').argParser(parseEach),
      new Option('--fix-missing', "in OpenClaw's databases, also remove sessions without any message"),
    ],
    async () => (await import('./verbs/maintain')).maintain,
    plain,
  )
  add(
    'reset',
    'take away what managing contexts has left: cold storage and logs (refuses without --force)',
    [JSON_OPTION, POLICY, new Option('--force', 'do it, with a backup of everything and a receipt')],
    async () => (await import('./verbs/reset')).reset,
    plain,
  )
}
