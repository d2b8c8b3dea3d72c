import path from 'node:path'
import { codexEntries } from '../../../core/sources/codex/entries'
import type { SourceFile, SourceReading } from '../source'
import { sessionOfRollout } from './rollout-name'

export const codexReading: SourceReading = { era: 'jsonl', translate: codexEntries, describe }

function describe(root: string, file: string): SourceFile {
  const stem = path.basename(file, '.jsonl')
  const isArchived = path.relative(root, file).split(path.sep).includes('archived_sessions')
  return {
    sessionId: sessionOfRollout(file) ?? stem,
    key: null,
    agent: null,
    state: isArchived ? 'backup' : 'live',
    ofAgent: false,
  }
}
