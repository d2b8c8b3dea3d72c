import { expect, test } from 'vitest'
import { stemOf } from './stem'

/** The examples of Porter's paper, each after all of its steps. */
const EXAMPLES = `caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre plastered:plaster
bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan
falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky relational:relat
conditional:condit rational:ration valenci:valenc hesitanci:hesit digitizer:digit conformabli:conform
radicalli:radic differentli:differ vileli:vile analogousli:analog vietnamization:vietnam
predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous
formaliti:formal sensitiviti:sensit sensibiliti:sensibl triplicate:triplic formative:form formalize:formal
electriciti:electr electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow
inference:infer airliner:airlin gyroscopic:gyroscop adjustable:adjust defensible:defens irritant:irrit
replacement:replac adjustment:adjust dependent:depend adoption:adopt homologou:homolog communism:commun
activate:activ angulariti:angular homologous:homolog effective:effect bowdlerize:bowdler probate:probat
rate:rate cease:ceas controll:control roll:roll`

/** Where a rule ends: short words, y as a vowel and as a consonant, stems of one syllable. */
const EDGES = `is:is gas:ga bed:bed ing:ing eed:eed need:need by:by yes:ye toy:toi crying:cry syzygy:syzygi fixed:fix
bowed:bow played:plai session:session region:region fashion:fashion ication:icat tying:ty blizing:blize
generalized:gener duplicated:duplic activated:activ
total:total totalli:total filled:fill three:three dye:dye abbey:abbei
ays:ay goodnesses:good patting:pat stopping:stop delivering:deliv religion:religion battalion:battalion employer:employ`

test.each(`${EXAMPLES} ${EDGES}`.split(/\s+/).map((pair) => pair.split(':') as [string, string]))(
  'H4: the stem of %s is %s',
  (word, stem) => {
    expect(stemOf(word)).toBe(stem)
  },
)
