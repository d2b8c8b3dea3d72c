import path from 'node:path'
import { claudeCodeEntries } from '../../../core/sources/claude-code/entries'
import type { SourceFile, SourceReading } from '../source'

export const claudeCodeReading: SourceReading = { era: 'jsonl', translate: claudeCodeEntries, describe }

function describe(_root: string, file: string): SourceFile | null {
  const stem = path.basename(file, '.jsonl')
  // What the client keeps beside the transcripts of workflows and teams.
  if (stem === 'journal' || stem === 'history') return null
  const ofAgent = stem.startsWith('agent-')
  const folder = path.dirname(file)
  const session =
    ofAgent && path.basename(folder) === 'subagents' ? path.basename(path.dirname(folder)) : null
  return {
    sessionId: stem,
    key: session === null ? null : `${session}/${stem}`,
    agent: ofAgent ? stem.slice('agent-'.length) : null,
    state: 'live',
    ofAgent,
  }
}
