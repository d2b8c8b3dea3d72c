import { visibleParts } from '@/lib/view/text/visible-text'

/**
 * Text that others wrote, as text: no markup is ever made of it, and characters that hide, move or reorder other ones
 * are shown by their names.
 */
export function HostileText({ text }: { text: string }) {
  let at = 0
  return (
    <bdi>
      {visibleParts(text).map((part) => {
        const key = at
        at += part.kind === 'text' ? part.text.length : part.code.length
        return part.kind === 'text' ? (
          part.text
        ) : (
          <span
            key={key}
            title={`${part.code}, a character that is not shown`}
            className="mx-px rounded-sm bg-attention-soft px-0.5 font-mono text-[0.8em] text-attention"
          >
            {part.name}
          </span>
        )
      })}
    </bdi>
  )
}
