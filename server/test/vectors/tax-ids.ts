/** Brazilian tax ids, the alphanumeric CNPJ in force since July 2026 among them. */
export const validCnpjs = [
  '12.ABC.345/01DE-35',
  'AA.345.678/0001-14',
  'AA.345.678/000A-29',
  '12.345.678/000A-08',
  '11.222.333/0001-81',
  '00.000.000/0001-91',
]
export const invalidCnpjs = [
  '12.ABC.345/01DE-36',
  '12.ABC.345/01DE-3A',
  '11.222.333/0001-82',
  '11.222.333/0001-81x',
  '',
  '00.000.000/0000-00',
]
export const validCpfs = ['529.982.247-25', '123.456.789-09']
export const invalidCpfs = ['111.111.111-11', '529.982.247-26', '529.982.247-25xyz', '123']
