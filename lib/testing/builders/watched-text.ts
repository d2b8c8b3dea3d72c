/** One block of text that says so each time when its text is read. How many blocks there are may be asked in silence. */
export function watchedText(text: unknown, onRead: () => void) {
  return [
    {
      type: 'text',
      get text() {
        onRead()
        return text
      },
    },
  ]
}
