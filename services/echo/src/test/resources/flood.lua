-- Posts JSON, and says at the end how many answers had which status.
wrk.method = "POST"
wrk.body = '{"order":17}'
wrk.headers["Content-Type"] = "application/json"

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  accepted = 0
  refused = 0
  other = 0
end

function response(status)
  if status == 200 then
    accepted = accepted + 1
  elseif status == 429 or status == 503 then
    refused = refused + 1
  else
    other = other + 1
  end
end

function done(summary, latency, requests)
  local total = { accepted = 0, refused = 0, other = 0 }
  for _, thread in ipairs(threads) do
    for name, count in pairs(total) do
      total[name] = count + thread:get(name)
    end
  end
  local errors = summary.errors
  print(string.format("flood: accepted %d, refused %d, other %d, errors %d", total.accepted,
    total.refused, total.other, errors.connect + errors.read + errors.write + errors.timeout))
end
