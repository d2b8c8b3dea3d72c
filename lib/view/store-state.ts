/** How serious a store's state is. `ok` and `empty` need nothing; the others say what to do in their problem. */
export function storeStateTone(state: string): 'ok' | 'neutral' | 'attention' | 'danger' {
  switch (state) {
    case 'ok':
      return 'ok'
    case 'empty':
      return 'neutral'
    case 'unreadable':
      return 'danger'
    default:
      return 'attention'
  }
}
