import type { SnippetPart } from '@/lib/view/text/snippet'

/** What is left before the first hit on narrow screens, in characters: a longer text would leave no room for the hit. */
const SHORT_LEAD = 14

/** Found text with what was searched for marked. @param isOneLine what does not fit is cut off at its end */
export function Snippet({
  parts,
  isOneLine = false,
}: {
  parts: readonly SnippetPart[]
  isOneLine?: boolean
}) {
  // Nothing is shortened where no part is a hit.
  const lead = isOneLine
    ? Math.max(
        0,
        parts.findIndex(({ hit }) => hit),
      )
    : 0
  let at = 0
  const marked = parts.slice(lead).map((part) => {
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
  return (
    <>
      {lead > 0 && (
        <Lead
          text={parts
            .slice(0, lead)
            .map(({ text }) => text)
            .join('')}
        />
      )}
      {marked}
    </>
  )
}

function Lead({ text }: { text: string }) {
  const characters = [...text]
  if (characters.length <= SHORT_LEAD + 4) return text
  return (
    <>
      <span className="max-md:hidden">{characters.slice(0, -SHORT_LEAD).join('')}</span>
      <span className="max-md:before:content-['…']">{characters.slice(-SHORT_LEAD).join('')}</span>
    </>
  )
}
