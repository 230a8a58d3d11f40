/** Texts of Connect. */
export const connectTexts = {
  title: 'Connect',
  address: {
    title: 'Address',
    base: 'Base address',
    assistants: 'For assistants (MCP)',
    workspace: 'Workspace ID',
    copy: (what: string) => `Copy: ${what}`,
  },
  key: {
    title: 'API keys',
    text: 'Each program gets a key of its own. With the permission Read it cannot change anything.',
    create: 'Create a key',
    name: 'Name',
    scope: 'Permission',
    lastUsed: 'Last call',
    manage: 'Replace and revoke keys in Settings',
    none: 'No key yet.',
  },
  snippets: {
    title: 'Set up a client',
    client: 'Client',
    clients: {
      claude: 'Claude Code',
      vscode: 'VS Code',
      cursor: 'Cursor',
      curl: 'curl',
      typescript: 'TypeScript',
      python: 'Python',
    },
    places: {
      claude: 'Enter this in a terminal. Without --header, you allow access in the browser instead.',
      vscode: 'Save this as .vscode/mcp.json. Without headers, you allow access in the browser instead.',
      cursor: 'Save this as ~/.cursor/mcp.json.',
      curl: 'Enter this in a terminal.',
      typescript: 'Install the client from the folder clients/typescript first.',
      python: 'Install the client from the folder clients/python first.',
    },
    placeholder: 'YOUR_KEY',
    replace: 'Replace YOUR_KEY by an API key, which you can create below.',
    documentation: 'Documentation of the API',
  },
};
