import type { SnippetPart } from '@/lib/view/text/snippet'

/** Found text with what was searched for marked. */
export function Snippet({ parts }: { parts: readonly SnippetPart[] }) {
  let at = 0
  return parts.map((part) => {
    const key = at
    at += part.text.length
    return part.hit ? (
      <mark key={key} className="rounded-sm bg-attention-soft font-medium text-text">
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    )
  })
}
