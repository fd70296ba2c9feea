import { defineTexts } from '../../i18n/use-texts.ts'

/** The words for values that only the audit log has; those that other pages show are taken from there (`value-names.ts`). */
export const valueTexts = defineTexts({
  'pt-BR': {
    works: { begun: 'Começou', done: 'Concluído', cut: 'Interrompido' },
    identities: {
      cpf: 'CPF',
      cnpj: 'CNPJ',
      passport: 'Passaporte',
      foreign_tax_id: 'Documento fiscal de outro país',
      none: 'Sem documento',
    },
    addresses: { asked: 'Novo e-mail à espera de confirmação', changed: 'Trocado' },
    replays: { failed: 'As que falharam' },
    disables: {
      operator: 'Desativado por alguém',
      failing: 'As entregas falharam por cinco dias',
      gone: 'Respondeu 410: não existe mais',
      test_arrived: 'Um teste chegou',
    },
    secrets: { another: 'Trocado' },
    switches: { off: 'Desligado' },
    uris: { none: 'Nenhum' },
    sources: { file: 'Arquivo', hotmart: 'Hotmart' },
  },
  en: {
    works: { begun: 'Begun', done: 'Done', cut: 'Interrupted' },
    identities: {
      cpf: 'CPF',
      cnpj: 'CNPJ',
      passport: 'Passport',
      foreign_tax_id: 'Tax number of another country',
      none: 'No document',
    },
    addresses: { asked: 'New email awaiting confirmation', changed: 'Changed' },
    replays: { failed: 'Those that failed' },
    disables: {
      operator: 'Disabled by someone',
      failing: 'Deliveries had failed for five days',
      gone: 'It answered 410: it no longer exists',
      test_arrived: 'A test has arrived',
    },
    secrets: { another: 'Replaced' },
    switches: { off: 'Off' },
    uris: { none: 'None' },
    sources: { file: 'File', hotmart: 'Hotmart' },
  },
  es: {
    works: { begun: 'Comenzó', done: 'Completado', cut: 'Interrumpido' },
    identities: {
      cpf: 'CPF',
      cnpj: 'CNPJ',
      passport: 'Pasaporte',
      foreign_tax_id: 'Documento fiscal de otro país',
      none: 'Sin documento',
    },
    addresses: { asked: 'Correo nuevo a la espera de confirmación', changed: 'Cambiado' },
    replays: { failed: 'Las que fallaron' },
    disables: {
      operator: 'Desactivada por alguien',
      failing: 'Las entregas fallaron durante cinco días',
      gone: 'Respondió 410: ya no existe',
      test_arrived: 'Llegó una prueba',
    },
    secrets: { another: 'Cambiado' },
    switches: { off: 'Desactivado' },
    uris: { none: 'Ninguna' },
    sources: { file: 'Archivo', hotmart: 'Hotmart' },
  },
})
