import { visibleLine } from '../text/visible-text'

/** What an entry is, in a word or two, for headings. */
export function entryKind(entry: {
  readonly type: string
  readonly role: string | null
  readonly tool: string | null
}): string {
  switch (entry.type) {
    case 'message':
      return messageKind(entry.role, entry.tool)
    case 'session':
      return 'Session header'
    case 'compaction':
      return 'Compaction'
    case 'reset':
      return 'Reset'
    case 'branch_summary':
      return 'Branch summary'
    case 'model_change':
      return 'Model'
    case 'thinking_level_change':
      return 'Thinking level'
    case 'session_info':
      return 'Name'
    case 'label':
      return 'Label'
    case 'leaf':
      return 'Branch move'
    case 'custom':
      return 'Note of the runtime'
    case 'custom_message':
      return 'Injected'
    case 'unreadable':
      return 'Unreadable line'
    case 'unknown':
      return 'Unknown entry type'
    default:
      return visibleLine(entry.type)
  }
}

function messageKind(role: string | null, tool: string | null): string {
  switch (role) {
    case 'user':
      return 'User'
    case 'assistant':
      return 'Assistant'
    case 'toolResult':
      return tool === null ? 'Tool result' : `Result of ${visibleLine(tool)}`
    case 'bashExecution':
      return 'Shell command of the user'
    case 'custom':
      return 'Injected'
    default:
      return role === null || role === '' ? 'Message without role' : visibleLine(role)
  }
}
