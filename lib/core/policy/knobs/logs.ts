import { knob, ON_OFF, section, text } from './knob'

export const LOGS_KNOBS = section('Logs', 'What is written down.', {
  path: knob('Folder', 'Where the logs are written.', text(), '~/.clawdbot/logs/context/', 'folder'),
  compaction: knob('Compactions', 'Log every compaction.', ON_OFF, true),
  curation: knob('Curation', 'Log every curation.', ON_OFF, true),
  drops: knob('Drops', 'Log every dropped chunk.', ON_OFF, true),
  recovery: knob('Recoveries', 'Log every recovery.', ON_OFF, true),
})
