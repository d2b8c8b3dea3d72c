'use client'

import { type ReactNode, useRef, useState } from 'react'
import { Card } from '../ui/card'
import { classes } from '../ui/classes'
import { DownloadGlyph } from '../ui/glyphs'
import { Menu } from '../ui/menu'
import { saveAddress, saveFile } from '../ui/save-file'
import { svgText } from './svg-text'

export type ChartForm = 'chart' | 'table'

/**
 * A chart with its table twin: the same numbers either way, and as CSV or SVG to keep. The first <svg> of `children` with
 * `data-export`, else the first of all, is what the SVG export writes.
 */
export function ChartFrame({
  title,
  note,
  name,
  csv,
  table,
  aside,
  children,
  className,
  form,
  onForm,
}: {
  title: string
  note?: ReactNode
  /** File name of exports, without its ending. */
  name: string
  /** The CSV export: its text, called when it is asked for, or the address that answers it. */
  csv: (() => string) | { readonly href: string }
  table: ReactNode
  aside?: ReactNode
  children: ReactNode
  className?: string
  /** Which of the two is shown, for pages that keep it in their address. */
  form?: ChartForm
  onForm?: (form: ChartForm) => void
}) {
  const [own, setOwn] = useState<ChartForm>('chart')
  const shown = form ?? own
  const setShown = onForm ?? setOwn
  const area = useRef<HTMLDivElement>(null)

  function saveSvg() {
    const drawing =
      area.current?.querySelector<SVGSVGElement>('svg[data-export]') ?? area.current?.querySelector('svg')
    if (drawing) saveFile({ name: `${name}.svg`, type: 'image/svg+xml', text: svgText(drawing) })
  }

  const exports = [
    {
      label: 'Save as CSV',
      onSelect: () =>
        typeof csv === 'function'
          ? saveFile({ name: `${name}.csv`, type: 'text/csv', text: csv() })
          : saveAddress({ name: `${name}.csv`, href: csv.href }),
    },
    ...(shown === 'chart' ? [{ label: 'Save as SVG', onSelect: saveSvg }] : []),
  ]
  return (
    <Card
      title={title}
      note={note}
      className={className}
      flush={shown === 'table'}
      aside={
        <>
          {aside}
          <fieldset className="inline-flex rounded-md border border-line p-0.5">
            <legend className="sr-only">{`${title}: show as`}</legend>
            {(['chart', 'table'] as const).map((form) => (
              <button
                key={form}
                type="button"
                aria-pressed={shown === form}
                onClick={() => setShown(form)}
                className={classes(
                  'h-6 rounded-sm px-2 text-label capitalize',
                  shown === form ? 'bg-inset font-medium' : 'text-muted hover:text-text',
                )}
              >
                {form}
              </button>
            ))}
          </fieldset>
          <Menu label={`Save ${title}`} trigger={<DownloadGlyph />} items={exports} />
        </>
      }
    >
      {shown === 'chart' ? <div ref={area}>{children}</div> : table}
    </Card>
  )
}
