// Shows /openapi.json: the calls by service, then the schemas that they use.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function paragraphs(text) {
  return (text || "").split("\n\n").filter(Boolean).map((block) => make("p", {}, block));
}

// The name of a type; a schema of the document becomes a link to it.
function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return make("a", { href: `#schema-${name}` }, name);
  }
  if (schema.type === "array") return make("span", {}, "list of ", typeOf(schema.items));
  const types = [].concat(schema.type || "value").join(" or ");
  return make("span", {}, schema.format ? `${types} (${schema.format})` : types);
}

function row(name, schema, description) {
  return make("tr", {}, make("td", {}, make("code", {}, name)), make("td", {}, typeOf(schema)),
    make("td", {}, description || ""));
}

function section(summary, ...content) {
  return make("details", {}, make("summary", {}, ...summary), make("div", {}, ...content));
}

function call(path, method, operation) {
  const parts = paragraphs(operation.description);
  parts.push(make("p", {}, `Callers: ${operation["x-callers"].join(", ")}`));
  if (operation.parameters) {
    parts.push(make("h4", {}, "Parameters"), make("table", {}, ...operation.parameters.map(
      (one) => row(`${one.name} (${one.in})`, one.schema, one.description))));
  }
  const media = (holder) => Object.values(holder.content)[0].schema;
  if (operation.requestBody) parts.push(make("p", {}, "Body: ", typeOf(media(operation.requestBody))));
  for (const [status, response] of Object.entries(operation.responses)) {
    const kind = "text/event-stream" in response.content ? "a stream of " : "";
    parts.push(make("p", {}, `${status}: ${kind}`, typeOf(media(response)),
      ` ${response.description}`));
  }
  const title = [make("span", { class: "method" }, method.toUpperCase()), " ",
    make("code", {}, path), " ", make("span", { class: "hint" }, operation.summary)];
  return section(title, ...parts);
}

function schema(name, described) {
  const parts = paragraphs(described.description);
  if (described.properties) {
    parts.push(make("table", {}, ...Object.entries(described.properties).map(
      ([field, one]) => row(field, one, one.description))));
  }
  const element = section([make("code", {}, name)], ...parts);
  element.id = `schema-${name}`;
  return element;
}

function show(api) {
  const main = document.getElementById("calls");
  const contents = document.getElementById("contents");
  main.replaceChildren(...paragraphs(api.info.description));
  for (const tag of api.tags) {
    contents.append(make("a", { href: `#${tag.name}` }, tag.name), " · ");
    main.append(make("h2", { id: tag.name }, tag.name), ...paragraphs(tag.description));
    for (const [path, methods] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.tags.includes(tag.name)) main.append(call(path, method, operation));
      }
    }
  }
  contents.append(make("a", { href: "#schemas" }, "Schemas"));
  main.append(make("h2", { id: "schemas" }, "Schemas"));
  for (const [name, described] of Object.entries(api.components.schemas)) {
    main.append(schema(name, described));
  }
}

// A link to a schema opens it.
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
});

fetch("/openapi.json")
  .then((response) => response.json())
  .then(show)
  .catch((error) => document.getElementById("calls").replaceChildren(
    make("p", {}, `The description cannot be shown: ${error}`)));
