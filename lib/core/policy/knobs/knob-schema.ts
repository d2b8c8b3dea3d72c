import * as z from 'zod'
import type {
  ChoiceShape,
  ItemShape,
  Knob,
  KnobGroup,
  KnobNode,
  KnobShape,
  KnobTable,
  LimitShape,
  ListShape,
  NumberShape,
  SwitchShape,
} from './knob'

/** The checker of a part of the table, in zod's own types. */
export type KnobSchema<N> =
  N extends Knob<infer S>
    ? ShapeSchema<S>
    : N extends KnobTable<infer R>
      ? z.ZodRecord<z.ZodString, KnobSchema<R>>
      : N extends KnobGroup<infer M>
        ? z.ZodObject<{ -readonly [K in keyof M]: KnobSchema<M[K]> }, z.core.$strict>
        : never

type ShapeSchema<S> =
  S extends ListShape<infer I>
    ? z.ZodArray<ShapeSchema<I>>
    : S extends ChoiceShape<infer O>
      ? z.ZodEnum<{ [option in O]: option }>
      : S extends LimitShape
        ? z.ZodNullable<z.ZodNumber>
        : S extends NumberShape
          ? z.ZodNumber
          : S extends SwitchShape
            ? z.ZodBoolean
            : z.ZodString

const made = new WeakMap<KnobNode, z.ZodType>()

/** The checker of a knob, a table or a group; of one part there is one. Groups are strict: an unknown key is an error. */
export function knobSchema<const N extends KnobNode>(node: N): KnobSchema<N> {
  const schema = made.get(node) ?? makeSchema(node)
  made.set(node, schema)
  // What is made follows the table, of which the type is a map.
  return schema as KnobSchema<N>
}

function makeSchema(node: KnobNode): z.ZodType {
  if (node.node === 'knob') return shapeSchema(node.shape)
  if (node.node === 'table') return z.record(z.string(), knobSchema(node.row) as z.ZodType)
  const members = Object.entries(node.members).map(([key, member]) => [key, knobSchema(member) as z.ZodType])
  return z.strictObject(Object.fromEntries(members) as Record<string, z.ZodType>)
}

function shapeSchema(shape: KnobShape): z.ZodType {
  switch (shape.kind) {
    case 'limit':
      return itemSchema(shape.of).nullable()
    case 'switch':
      return z.boolean()
    case 'list':
      return z.array(itemSchema(shape.of)).min(shape.least)
    default:
      return itemSchema(shape)
  }
}

function itemSchema(shape: ItemShape): z.ZodType {
  if (shape.kind === 'choice') return z.enum(Object.keys(shape.options))
  if (shape.kind === 'text') {
    const least = z.string().min(shape.least)
    return shape.most === null ? least : least.max(shape.most)
  }
  const any = shape.whole ? z.number().int() : z.number()
  const from = shape.above ? any.gt(shape.from) : any.min(shape.from)
  return shape.to === null ? from : from.max(shape.to)
}
