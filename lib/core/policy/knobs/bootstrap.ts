import { count, knob, list, number, ON_OFF, SHARE, section, text } from './knob'

/** Names of the workspace files, in the order in which runtimes inject them. */
export const BOOTSTRAP_FILES = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
  'MEMORY.md',
] as const

export const BOOTSTRAP_KNOBS = section('Bootstrap files', 'What of the workspace is sent.', {
  files: knob('Files', 'Workspace files injected into every run, in this order.', list(text()), [
    ...BOOTSTRAP_FILES,
  ]),
  maxCharsPerFile: knob('Longest file', 'Longer files are cut.', count('chars'), 20_000),
  maxCharsTotal: knob('All files', 'All of them together never take more.', count('chars'), 150_000),
  headShare: knob('Head kept', 'Share of the limit that the beginning of a cut file gets.', SHARE, 0.7),
  tailShare: knob('Tail kept', 'Share of the limit that the end of a cut file gets.', SHARE, 0.2),
  subagentFiles: knob('For sub-agents', 'The only files that sub-agents get.', list(text()), [
    'AGENTS.md',
    'TOOLS.md',
  ]),
  dailyNotes: knob(
    'Daily notes',
    'The notes of today and yesterday in memory/ are behind the files, within the same limits.',
    ON_OFF,
    true,
  ),
})

export const PROMPT_CACHE_KNOBS = section('Prompt cache', 'When workspace files are read again.', {
  enabled: knob('Cache workspace files', 'Read them again only when they change.', ON_OFF, true),
  pollSeconds: knob(
    'Look again every',
    'Besides the watcher; 0 leaves it to the watcher.',
    number('seconds'),
    60,
  ),
})
