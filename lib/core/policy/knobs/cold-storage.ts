import { DAYS, knob, ON_OFF, section, text } from './knob'

export const COLD_STORAGE_KNOBS = section('Cold storage', 'Where dropped chunks wait.', {
  enabled: knob('Cold storage', 'Keep what is dropped, for recovery.', ON_OFF, true),
  path: knob('Folder', 'Where dropped chunks are kept.', text(), '~/.clawdbot/cold-storage/', 'folder'),
  days: knob('Recoverable for', 'Then a chunk expires.', DAYS, 30),
})
