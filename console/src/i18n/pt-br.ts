import type { FieldKey, RefusalKey } from '../api/admin-fault.ts'
import { raPtBR } from './ra-pt-br.ts'

/** Words found by key: those of react-admin, of refusals (`AdminFault`), and the names of resources. Portuguese is the master. */
export const ptBR = {
  ra: raPtBR,
  refusal: {
    not_signed_in: 'Sua sessão terminou. Entre de novo para continuar.',
    foreign_origin: 'O pedido não veio desta página. Recarregue e tente de novo.',
    not_allowed: 'Sua função não permite isto.',
    recent_authentication: 'Para isto, confirme que é você. Nada foi alterado.',
    second_factor: 'Para isto, é preciso a verificação em duas etapas. Nada foi alterado.',
    stale: 'Isto mudou desde que você abriu. Nada foi salvo.',
    bad_cursor: 'A lista mudou. Volte à primeira página.',
    no_such_product: 'Não há produto com este nome na URL.',
    impersonation: 'Você está agindo em nome de outra pessoa neste navegador. Pare para usar o console.',
    unreachable: 'O serviço não respondeu. Confira a conexão e tente de novo.',
    invalid: 'O serviço não aceitou estes dados.',
    not_found: 'Não encontrado: não existe ou não existe mais.',
    conflict: 'Isto não é possível no estado atual.',
    too_large: 'É grande demais. Diminua e tente de novo.',
    too_many: 'Muitos pedidos seguidos. Espere um minuto e tente de novo.',
    away: 'O serviço está fora do ar por um instante. Tente de novo em um minuto.',
    fault: 'O serviço encontrou um erro, que foi registrado.',
  } satisfies Record<RefusalKey, string>,
  field: {
    required: 'Preencha este campo',
    too_short: 'Curto demais',
    too_long: 'Longo demais',
    too_small: 'Pequeno demais',
    too_big: 'Grande demais',
    invalid_type: 'Confira este valor',
    invalid_value: 'Este valor não é aceito',
    invalid_format: 'Confira o formato',
    unknown: 'Campo desconhecido',
    taken: 'Já está em uso',
    malformed: 'Confira o formato',
    missing: 'Preencha este campo',
    needs_internal: 'Só um app interno pode ter isto',
    needs_integrated: 'Só um app que vende pela Portaria pode ter isto',
    no_such_plan: 'Este plano não existe',
    no_such_product: 'Este produto não existe',
    no_such_user: 'Não há conta com este e-mail',
    has_role: 'Esta pessoa já tem uma função',
    operator_only: 'Só os endereços do operador podem escolher isto',
    too_little_contrast: 'Esta cor é difícil de ler: o contraste mínimo é 4,5:1',
    no_such_image: 'Esta imagem não existe',
    not_square: 'A imagem precisa ser quadrada',
    not_a_png: 'A imagem precisa ser um PNG',
    needs_light_logo: 'Escolha também o logo para o tema claro',
    image_too_large: 'A imagem pode ter até 200 KB',
    image_empty: 'O arquivo está vazio',
    not_an_image: 'Escolha um SVG ou um PNG',
    png_damaged: 'Este PNG está danificado',
    png_size: 'Um PNG pode ter até 2.000 pixels de lado',
    svg_damaged: 'Não dá para entender este SVG: salve como SVG simples',
    svg_element: 'Um SVG só pode desenhar, e este tem um elemento que faz mais',
    svg_handler: 'Um SVG não pode executar nada, e este reage a eventos',
    svg_address: 'Um SVG não pode apontar para fora dele, e este aponta',
    svg_style: 'Este SVG tem um estilo que busca algo fora dele',
    svg_size: 'Um SVG precisa de viewBox, ou de largura e altura',
    svg_too_much: 'Este SVG desenha demais, ou aponta para si mesmo',
    invalid: 'Confira este valor',
  } satisfies Record<FieldKey, string>,
  resources: {
    users: {
      name: 'Pessoa |||| Pessoas',
    },
    sessions: {
      name: 'Sessão |||| Sessões',
    },
    'failed-sign-ins': {
      name: 'Entrada recusada |||| Entradas recusadas',
    },
    products: {
      name: 'Produto |||| Produtos',
    },
    plans: {
      name: 'Plano |||| Planos',
    },
    'identity-providers': {
      name: 'Provedor de identidade |||| Provedores de identidade',
    },
    subscriptions: {
      name: 'Assinatura |||| Assinaturas',
    },
    transactions: {
      name: 'Pagamento |||| Pagamentos e reembolsos',
    },
    notifications: {
      name: 'Webhook |||| Webhooks',
    },
    endpoints: {
      name: 'Endereço de eventos |||| Endereços de eventos',
    },
    events: {
      name: 'Evento |||| Eventos',
    },
    appearance: {
      name: 'Aparência |||| Aparência',
    },
    jobs: {
      name: 'Tarefa |||| Tarefas',
    },
    'signing-keys': {
      name: 'Chave criptográfica |||| Chaves criptográficas',
    },
    tokens: {
      name: 'Token de API |||| Tokens de API',
    },
    administrators: {
      name: 'Administrador |||| Administradores',
    },
    audit: {
      name: 'Auditoria |||| Auditoria',
    },
  },
}

export type Messages = typeof ptBR
